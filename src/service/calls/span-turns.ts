import * as z from 'zod/mini'
import type { TurnDeriver } from '../derive/turn-deriver'
import { toCompoundKey } from '../lib/compound-key'
import { TimeSlices } from '../lib/time-slices'
import { callsWhere } from '../store/merged-calls'
import { flag } from '../store/row-types'
import { splitIds } from '../store/split-ids'
import { joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { assignCalls } from '../traces/assign-calls'
import { readCallsAround } from '../traces/read-calls-around'
import { readTraceCalls, type TraceCall } from '../traces/read-trace-calls'

// OTLP spans name no turn, and none counts the errors below it, as Weave's clients do. Both follow from the calls of the trace
// that have arrived, so they are worked out when a span is read, and are the same in every order of arrival.

/** What the trace of a span says of it. */
export type SpanPlace = { turnId: string | null; isAboveFailure: boolean }

type Deps = { store: Store; deriver: Pick<TurnDeriver, 'flush'>; projectId: string; options: QueryOptions }

/** Of so few spans the places are found without reading a large trace whole. */
const maxPageSpans = 300

type Span = { id: string; trace_id: string; is_span?: boolean | undefined }
type PlacesByTrace = ReadonlyMap<string, ReadonlyMap<string, SpanPlace>>

/** The places of the spans of one request. A trace whose calls come in several large batches is read once. */
export class SpanPlaces {
  private placesByTrace: PlacesByTrace = new Map()
  private begun: { spanIds: ReadonlySet<string>; places: Promise<PlacesByTrace | undefined> } | undefined
  private readonly slices = new TimeSlices()
  /** Too many calls decide about the places in one of the traces. */
  private readsWhole = false

  constructor(
    private readonly deps: Deps,
    private readonly maxWhole?: number,
  ) {}

  /** Begins to read the places of the spans among these calls, while the calls themselves are still read. */
  begin(calls: readonly Span[]): void {
    const spans = calls.filter((call) => call.is_span)
    if (spans.length === 0 || spans.length > maxPageSpans) return
    const places = this.readAround([...new Set(spans.map((span) => span.trace_id))], spans)
    // `find` reports the error, unless reading the calls fails first.
    places.catch(() => undefined)
    this.begun = { spanIds: new Set(spans.map(({ id }) => id)), places }
  }

  /** The places of the spans among these calls, by id. */
  async find(calls: readonly Span[]): Promise<ReadonlyMap<string, SpanPlace>> {
    const spans = calls.filter((call) => call.is_span)
    if (spans.length === 0) return new Map()
    const known = (await this.findBegun(spans)) ?? (await this.readTraces(spans))
    return new Map(
      spans.flatMap(({ id, trace_id: traceId }) => {
        const place = known.get(traceId)?.get(id)
        return place ? [[id, place] as const] : []
      }),
    )
  }

  /** Undefined where the places of other spans were begun, or of spans that are in another trace by now. */
  private async findBegun(spans: readonly Span[]): Promise<PlacesByTrace | undefined> {
    if (!this.begun || !spans.every(({ id }) => this.begun?.spanIds.has(id))) return undefined
    const places = await this.begun.places
    return places && spans.every((span) => places.has(span.trace_id)) ? places : undefined
  }

  private async readTraces(spans: readonly Span[]): Promise<PlacesByTrace> {
    const traceIds = [...new Set(spans.map((span) => span.trace_id))]
    const before = this.placesByTrace
    const unknownIds = traceIds.filter((traceId) => !before.has(traceId))
    const isPage = spans.length <= maxPageSpans && !this.readsWhole
    const around = isPage ? await this.readAround(unknownIds, spans) : undefined
    const added = around ?? (await this.readPlaces(unknownIds))
    const known = new Map(traceIds.map((id) => [id, before.get(id) ?? added.get(id) ?? new Map<string, never>()]))
    // Only the traces of the last batch are kept: a large answer has any number of them.
    if (!around) this.placesByTrace = known
    return known
  }

  private async readAround(traceIds: readonly string[], spans: readonly Span[]): Promise<PlacesByTrace | undefined> {
    if (traceIds.length === 0) return undefined
    const { store, projectId, options } = this.deps
    const around = { projectId, traceIds, callIds: spans.map(({ id }) => id), slices: this.slices, maxWhole: this.maxWhole }
    const traces = await readCallsAround(store, around, options)
    this.readsWhole = !traces
    return traces && (await this.placeAll(traces))
  }

  private async readPlaces(traceIds: readonly string[]): Promise<PlacesByTrace> {
    const { store, projectId, options } = this.deps
    return await this.placeAll(await readTraceCalls(store, { projectId, traceIds, slices: this.slices }, options))
  }

  private async placeAll(traces: ReadonlyMap<string, TraceCall[]>): Promise<PlacesByTrace> {
    const turns = await findTurns(traces.values(), this.deps)
    const places = new Map<string, ReadonlyMap<string, SpanPlace>>()
    for (const [traceId, trace] of traces) places.set(traceId, await placeSpans(trace, turns, this.slices))
    return places
  }
}

/**
 * A condition on the id of a span: its turn is one of these calls. The turn of a span is in its trace, unless the span itself
 * names another one.
 */
export async function findSpansOfTurns(deps: Deps, turnIds: readonly string[]): Promise<Sql> {
  const { store, projectId, options } = deps
  const traces = await store.query(
    sql`SELECT DISTINCT trace_id FROM ${callsWhere(projectId, sql`id IN ${turnIds}`)} WHERE started_at IS NOT NULL`,
    z.object({ trace_id: z.string() }),
    options,
  )
  const slices = new TimeSlices()
  const wanted = new Set(turnIds)
  const traceIds = traces.map(({ trace_id: id }) => id)
  const calls = await readTraceCalls(store, { projectId, traceIds, slices }, options)
  const known = await findTurns(calls.values(), deps)
  const found: string[] = []
  const others: string[] = []
  for (const trace of calls.values()) {
    for (const [id, { turnId }] of await placeSpans(trace, known, slices))
      (turnId && wanted.has(turnId) ? found : others).push(id)
  }
  if (found.length <= others.length) return isOneOf(found)
  // Most turns are a whole trace, which may have 100,000 spans: too many ids to send back.
  const ofTraces = sql`SELECT id FROM trace_calls WHERE project_id = ${projectId} AND trace_id IN ${traceIds}`
  return sql`(id IN (${ofTraces}) AND NOT ${isOneOf(others)})`
}

function isOneOf(ids: readonly string[]): Sql {
  return sql`(${joinSql(
    [...splitIds(ids)].map((some) => sql`id IN ${some}`),
    ' OR ',
    sql`0`,
  )})`
}

async function placeSpans(
  trace: readonly TraceCall[],
  turns: ReadonlySet<TraceCall>,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, SpanPlace>> {
  const calls = trace.map((call) => Object.assign(call, { is_turn: turns.has(call) }))
  const { turnIdByCall, aboveFailure } = await assignCalls(calls, slices)
  return new Map(
    trace.flatMap((call) => {
      if (!call.is_span) return []
      return [
        [call.id, { turnId: namedTurn(call) ?? turnIdByCall.get(call.id) ?? null, isAboveFailure: aboveFailure.has(call.id) }],
      ]
    }),
  )
}

/** A span of a conversation that names itself is a turn only where its place makes it one. */
function namedTurn({ id, turn_id: turnId, is_conversation: isConversation }: TraceCall): string | null {
  return isConversation && turnId === id ? null : turnId
}

const TurnRow = z.object({ thread_id: z.string(), id: z.string(), is_retracted: flag })

/**
 * Which of these calls are turns. A call whose parts name several traces is in each of them as what the parts of that trace say: what
 * it is in one trace says nothing of the others, or a page would depend on which traces are read with it.
 */
async function findTurns(
  traces: Iterable<readonly TraceCall[]>,
  { store, deriver, projectId, options }: Deps,
): Promise<ReadonlySet<TraceCall>> {
  const turns = new Set<TraceCall>()
  const candidates: TraceCall[] = []
  for (const trace of traces) {
    const byId = new Map(trace.map((call) => [call.id, call]))
    for (const call of trace) {
      if (call.thread_id === null) continue
      if (!call.is_conversation) {
        if (call.turn_id === call.id) turns.add(call)
      } else if (byId.get(call.parent_id ?? '')?.thread_id !== call.thread_id) candidates.push(call)
    }
  }
  if (candidates.length === 0) return turns
  // Whether they are turns depends on all that any of their parts ever said: `turns` has it (derive-conversation-turns.ts).
  await deriver.flush(projectId, options)
  for (const some of splitIds(candidates)) {
    const threadIds = [...new Set(some.map((call) => call.thread_id ?? ''))]
    // Without FINAL it takes a seventh less: a turn is retracted if one of its rows is.
    const statement = sql`SELECT thread_id, id, is_retracted FROM turns
WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND id IN ${some.map(({ id }) => id)}`
    const rows = await store.query(statement, TurnRow, { ...options, lookup: 'narrow' })
    const keyOf = (threadId: string | null, id: string) => toCompoundKey(threadId ?? '', id)
    const stored = new Set(rows.map((row) => keyOf(row.thread_id, row.id)))
    for (const row of rows) if (row.is_retracted) stored.delete(keyOf(row.thread_id, row.id))
    for (const call of some) if (stored.has(keyOf(call.thread_id, call.id))) turns.add(call)
  }
  return turns
}
