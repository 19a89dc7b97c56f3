import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { compareText } from '../../contract/compare-text'
import { QueryCalls } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import { testProperty } from '../../testing/test-property'
import { referenceTurns } from '../derive/testing/reference-threads'
import { toInstant, toSpanId, toTraceId } from '../derive/testing/conversation-span'
import type { CallRow } from '../ingest/call-row'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { listCalls } from './list-calls'
import { SpanPlaces } from './span-turns'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const spanCount = 10
const index = fc.nat({ max: spanCount - 1 })
/** Few ids, so parents exist, are missing, in another trace, in a circle, or the span itself. */
const parent = fc.option(fc.nat({ max: spanCount }), { freq: 6, nil: undefined })
const traceOf = (id: number) => toTraceId(id % 4 === 3 ? 1 : 0)

const span = fc
  .record({
    id: index,
    parent,
    thread: fc.option(fc.constantFrom('t', 't', 't', 'u'), { freq: 2, nil: undefined }),
    kind: fc.constantFrom('conversation', 'conversation', 'thread', 'turn', 'other'),
    isSpan: fc.boolean(),
    hasFailed: fc.boolean(),
    hasEnded: fc.boolean(),
  })
  .map(({ id, parent: above, thread, kind, isSpan, hasFailed, hasEnded }): CallRow => ({
    project_id: '',
    id: toSpanId(id),
    trace_id: traceOf(id),
    parent_id: above === undefined ? undefined : toSpanId(above),
    is_span: isSpan || kind === 'conversation' || undefined,
    thread_id: thread,
    turn_id: kind === 'other' ? toSpanId((id + 1) % spanCount) : thread && kind === 'turn' ? toSpanId(id) : undefined,
    is_conversation: (thread !== undefined && kind === 'conversation') || undefined,
    op_name: 'op',
    started_at: toInstant(id),
    ended_at: hasEnded || hasFailed ? toInstant(id + 1) : undefined,
    exception: hasFailed ? 'boom' : undefined,
  }))
/** The end of a call names no trace. */
const end = fc.record({ id: index, hasFailed: fc.boolean() }).map(({ id, hasFailed }): CallRow => ({
  project_id: '',
  id: toSpanId(id),
  ended_at: toInstant(60),
  exception: hasFailed ? 'late' : undefined,
}))
const deletion = index.map((id): CallRow => ({ project_id: '', id: toSpanId(id), deleted_at: toInstant(99) }))

const arrival = fc
  .array(fc.oneof({ weight: 12, arbitrary: span }, { weight: 3, arbitrary: end }, { weight: 1, arbitrary: deletion }), {
    minLength: 2,
    maxLength: 18,
  })
  .chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length, maxLength: rows.length }),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
      restartAt: fc.nat({ max: 60 }),
    }),
  )

type PlainCall = {
  id: string
  traceId: string | null
  parentId: string | null
  turnId: string | null
  isSpan: boolean
  isConversation: boolean
  isTurn: boolean
  hasFailed: boolean
  hasEnded: boolean
}

/** The calls that their parts make up: the greatest value of each text. Without a start, or deleted, there is none. */
function toPlainCalls(parts: readonly CallRow[]): PlainCall[] {
  const turnIds = new Set(referenceTurns(parts).map(({ id }) => id))
  return [...new Set(parts.map(({ id }) => id))].flatMap((id) => {
    const own = parts.filter((part) => part.id === id)
    if (!own.some((part) => part.started_at) || own.some((part) => part.deleted_at)) return []
    const text = (name: 'trace_id' | 'parent_id' | 'turn_id') =>
      own
        .flatMap((part) => part[name] ?? [])
        .toSorted(compareText)
        .at(-1) ?? null
    return {
      id,
      traceId: text('trace_id'),
      parentId: text('parent_id'),
      turnId: text('turn_id'),
      isSpan: own.some((part) => part.is_span),
      isConversation: own.some((part) => part.is_conversation),
      isTurn: turnIds.has(id),
      hasFailed: own.some((part) => part.exception !== undefined),
      hasEnded: own.some((part) => part.ended_at),
    }
  })
}

/** The call and those above it, the nearest first. A circle ends at a turn in it; without one nothing in it has a parent. */
function pathOf(calls: readonly PlainCall[], call: PlainCall): PlainCall[] {
  const parentOf = (each: PlainCall) => calls.find(({ id, traceId }) => id === each.parentId && traceId === each.traceId)
  const circleOf = (each: PlainCall) => {
    const circle = [each]
    for (let above = parentOf(each); above && circle.length <= calls.length; above = parentOf(above)) {
      if (above === each) return circle
      circle.push(above)
    }
    return undefined
  }
  const path = [call]
  for (let last: PlainCall | undefined = call; last;) {
    const circle = circleOf(last)
    last = circle && (last.isTurn || !circle.some(({ isTurn }) => isTurn)) ? undefined : parentOf(last)
    if (last) path.push(last)
  }
  return path
}

/** What is read of each call: its turn and its status. */
function referencePlaces(calls: readonly PlainCall[]): Record<string, [turnId: string | null, status: string]> {
  const paths = new Map(calls.map((call) => [call.id, pathOf(calls, call)]))
  const isTurnOf = (traceId: string | null, id: string | null) =>
    calls.some((each) => each.id === id && each.traceId === traceId && each.isTurn)
  return Object.fromEntries(
    calls.map((call) => {
      const path = paths.get(call.id) ?? []
      const nearest = path.find(({ isTurn }) => isTurn)?.id
      const namedAbove = path.findLast((each) => isTurnOf(each.traceId, each.turnId))?.turnId
      const named = call.isConversation && call.turnId === call.id ? null : call.turnId
      const isAboveFailure = calls.some((each) => each.hasFailed && (paths.get(each.id) ?? []).slice(1).includes(call))
      const status = call.hasFailed
        ? 'error'
        : !call.hasEnded
          ? 'running'
          : call.isSpan && isAboveFailure
            ? 'descendant_error'
            : 'success'
      return [call.id, [call.isSpan ? (named ?? nearest ?? namedAbove ?? null) : call.turnId, status]]
    }),
  )
}

async function list(request: unknown): Promise<Call[]> {
  const calls: Call[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse(request))) calls.push(...batch)
  return calls
}

let run = 0
testProperty(
  'in whatever order spans, late ends and deletions arrive, each span has the turn and the status of the plain definition',
  arrival,
  { runs: 30, timeoutMs: 300_000 },
  async ({ rows, order, sizes, restartAt }) => {
    const project_id = `places/${(run += 1)}`
    const ownRows = rows.map((row): CallRow => ({ ...row, project_id }))
    const sent = order.flatMap((position) => ownRows[position] ?? [])
    for (let from = 0, request = 0; from < sent.length; request += 1) {
      const size = sizes[request % sizes.length] ?? 1
      await fixture.writer.write(sent.slice(from, from + size))
      if (request % 3 === 0) await list({ project_id })
      from += size
      if (request === restartAt) await fixture.restart()
    }
    const expected = referencePlaces(toPlainCalls(sent))
    const calls = await list({ project_id, columns: ['turn_id', 'summary'] })
    const found = calls.map(({ id, turn_id: turnId, summary }) => [id, [turnId ?? null, summary?.weave.status]])
    expect(Object.fromEntries(found)).toEqual(expected)
    // Of some spans it is found from the calls around them alone.
    const spans = toPlainCalls(sent).flatMap(({ id, traceId, isSpan }) =>
      isSpan && traceId ? [{ id, trace_id: traceId, is_span: true }] : [],
    )
    const deps = { store: fixture.store, deriver: fixture.deriver, projectId: project_id, options: {} }
    const places = await new SpanPlaces(deps).find(spans)
    for (let from = 0; from < spans.length; from += 2) {
      const some = spans.slice(from, from + 2)
      const around = await new SpanPlaces(deps, 0).find(some)
      expect(around).toEqual(new Map(some.flatMap(({ id }) => (places.has(id) ? [[id, places.get(id)]] : []))))
    }
    // The filter says the same.
    const turnIds = new Set(Object.values(expected).flatMap(([turnId]) => turnId ?? []))
    for (const id of [...turnIds, toSpanId(0)]) {
      const ofTurn = await list({ project_id, filter: { turn_ids: [id] }, columns: ['turn_id'] })
      const ids = Object.entries(expected).flatMap(([callId, [turnId]]) => (turnId === id ? [callId] : []))
      expect(ofTurn.map((call) => call.id).toSorted(), id).toEqual(ids.toSorted())
    }
  },
)
