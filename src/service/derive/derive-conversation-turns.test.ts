import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { formatInstant } from '../../contract/instant'
import type { Store } from '../store/store'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { referenceThreads } from './testing/reference-threads'
import { TurnDeriver } from './turn-deriver'
import { toCallLine, type CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { deriveTurns } from './derive-turns'
import { recoverDerived } from './recover-derived'
import { silentLogger } from '../testing/silent-logger'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let summary: TurnDeriver
/** Two, as two requests or two copies of the service write at once. */
let writers: CallWriter[]

function openWriters() {
  summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  writers = [new CallWriter(place.store, summary), new CallWriter(place.store, summary)]
}

async function restart() {
  for (const writer of writers) await writer.close()
  await place.reopen()
  openWriters()
  await recoverDerived(place.store, summary)
}

beforeAll(async () => {
  place = await openTemporaryStore()
  openWriters()
})

afterAll(async () => {
  for (const writer of writers) await writer.close()
  await place.remove()
})

async function readThreads(projectId: string, filter?: { after_datetime: string }) {
  await summary.flush(projectId)
  const rows = []
  for await (const batch of listThreads(place.store, { project_id: projectId, filter })) rows.push(...batch)
  return rows.toSorted((left, right) => (left.thread_id < right.thread_id ? -1 : 1))
}

const threadsOf = (rows: readonly CallRow[]) =>
  referenceThreads(rows).toSorted((left, right) => (left.thread_id < right.thread_id ? -1 : 1))

const idOf = (index: number) => index.toString(16).padStart(16, '0')
const traceOf = (index: number) => index.toString(16).padStart(32, '0')
const instantOf = (second: number) => formatInstant(1_790_000_000_000_000n + BigInt(second) * 1_000_001n)

const spanCount = 9
/** What one span says; few ids, so that parents are found, missing, in another trace, in a ring, or the span itself. */
const span = fc
  .record({
    index: fc.nat({ max: spanCount - 1 }),
    parent: fc.option(fc.nat({ max: spanCount }), { freq: 6, nil: undefined }),
    trace: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    thread: fc.option(fc.constantFrom('t', 't', 't', 'u'), { freq: 8, nil: undefined }),
    names: fc.constantFrom('conversation', 'conversation', 'conversation', 'thread', 'turn'),
    start: fc.nat({ max: 50 }),
    length: fc.option(fc.integer({ min: -2, max: 9 }), { freq: 5, nil: undefined }),
  })
  .map(({ index, parent, trace, thread, names, start, length }): CallRow => ({
    project_id: '',
    is_span: true,
    id: idOf(index),
    trace_id: traceOf(trace),
    parent_id: parent === undefined ? undefined : idOf(parent),
    thread_id: thread,
    turn_id: thread !== undefined && names === 'turn' ? idOf(index) : undefined,
    is_conversation: thread !== undefined && names === 'conversation',
    op_name: 'chat',
    started_at: instantOf(start),
    ended_at: length === undefined ? undefined : instantOf(start + length),
  }))
/** A part that did not come by OTLP may say something of the same call. */
const otherPart = fc
  .record({ index: fc.nat({ max: spanCount - 1 }), thread: fc.constantFrom('t', 'u', undefined), turn: fc.nat({ max: 2 }) })
  .map(({ index, thread, turn }): CallRow => ({
    project_id: '',
    id: idOf(index),
    thread_id: thread,
    turn_id: turn === 0 ? undefined : turn === 1 ? idOf(index) : idOf(7),
    ended_at: instantOf(60),
  }))

const arrival = fc
  .array(fc.oneof({ weight: 12, arbitrary: span }, { weight: 1, arbitrary: otherPart }), { minLength: 2, maxLength: 16 })
  .chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length, maxLength: rows.length }),
      again: fc.array(fc.nat({ max: rows.length - 1 }), { maxLength: 4 }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
      restartAt: fc.nat({ max: 150 }),
    }),
  )

test('spans of conversations in any order, repeated, conflicting, split, at once and over restarts give the turns of the definition', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(arrival, async ({ rows, order, again, sizes, restartAt }) => {
      run += 1
      const projectId = `forest/${run}`
      const own = rows.map((row): CallRow => ({ ...row, project_id: projectId }))
      const sent = [...order, ...again].flatMap((index) => own[index] ?? [])
      let pending: Promise<unknown>[] = []
      for (let from = 0, request = 0; from < sent.length; request += 1) {
        const size = sizes[request % sizes.length] ?? 1
        const [writer] = request % 2 === 0 ? writers : writers.toReversed()
        pending.push(writer?.write(sent.slice(from, from + size)) ?? Promise.reject(new Error('no writer')))
        if (request % 3 === 0) {
          await Promise.all(pending)
          pending = []
        }
        // Turns are derived by the time somebody reads: of a few requests together, of one, or while another is written.
        if (request % 5 < 3) await readThreads(projectId)
        from += size
        if (request === restartAt) {
          await Promise.all(pending)
          pending = []
          await restart()
        }
      }
      await Promise.all(pending)
      const threads = threadsOf(own)
      expect(await readThreads(projectId)).toEqual(threads)
      expect(await readThreads(projectId, { after_datetime: '1900-01-01T00:00:00Z' })).toEqual(threads)
    }),
    { numRuns: 40, seed: 20_261_121 },
  )
})

const conversationSpan = (
  projectId: string,
  index: number,
  parent: number | undefined,
  more: Partial<CallRow> = {},
): CallRow => ({
  project_id: projectId,
  is_span: true,
  is_conversation: true,
  id: idOf(index),
  trace_id: traceOf(0),
  parent_id: parent === undefined ? undefined : idOf(parent),
  thread_id: 't',
  op_name: 'chat',
  started_at: instantOf(index),
  ended_at: instantOf(index + 1),
  ...more,
})

test('a child that arrives first is a turn until its parent in the same thread takes its place', async () => {
  const projectId = 'child/first'
  const [writer] = writers
  await writer?.write([conversationSpan(projectId, 2, 1)])
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: idOf(2) }])
  await writer?.write([conversationSpan(projectId, 1, 0)])
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: idOf(1) }])
  await writer?.write([conversationSpan(projectId, 0, undefined, { thread_id: undefined, is_conversation: false })])
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: idOf(1), last_turn_id: idOf(1) }])
})

test('a span that was said to be a turn stays one below another of its thread', async () => {
  const projectId = 'said/turn'
  const said = { is_conversation: false, turn_id: idOf(2) }
  await writers[0]?.write([conversationSpan(projectId, 2, 1, said)])
  await writers[0]?.write([conversationSpan(projectId, 1, undefined)])
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 2, first_turn_id: idOf(1), last_turn_id: idOf(2) }])
})

test('a span that another part says is of another turn is none itself, whichever part comes first', async () => {
  const other: CallRow = { project_id: 'other/turn', id: idOf(1), turn_id: idOf(5) }
  await writers[0]?.write([conversationSpan('other/turn', 1, undefined), conversationSpan('other/turn', 2, undefined)])
  expect(await readThreads('other/turn')).toMatchObject([{ turn_count: 2 }])
  await writers[0]?.write([other])
  expect(await readThreads('other/turn')).toMatchObject([{ turn_count: 1, first_turn_id: idOf(2) }])
  await writers[0]?.write([{ ...other, project_id: 'other/first' }])
  await writers[0]?.write([conversationSpan('other/first', 1, undefined), conversationSpan('other/first', 2, undefined)])
  expect(await readThreads('other/first')).toMatchObject([{ turn_count: 1, first_turn_id: idOf(2) }])
})

test('what was stored and not derived when the process ended is derived at the next start', async () => {
  const projectId = 'cut/off'
  await writers[0]?.write([conversationSpan(projectId, 2, 1), conversationSpan(projectId, 3, 1)])
  await place.store.insertLines('calls', toCallLine(conversationSpan(projectId, 1, undefined)))
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 2 }])
  await restart()
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: idOf(1) }])
})

test('one parent takes back more children than one page holds', async () => {
  const projectId = 'many/children'
  const children = Array.from({ length: 12_345 }, (_, index) => conversationSpan(projectId, index + 1, 0))
  await writers[0]?.write(children)
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: children.length }])
  await writers[0]?.write([conversationSpan(projectId, 0, undefined)])
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: idOf(0) }])
})

async function turnIds(projectId: string) {
  const sql = 'SELECT id FROM turns FINAL WHERE project_id = {project_id:String} AND is_retracted = 0'
  return await place.store.query(sql, { project_id: projectId }, z.object({ id: z.string() }))
}

test('a parent that arrives while its child is being written as a turn takes it back', async () => {
  const projectId = 'at/once'
  await place.store.insertLines('calls', toCallLine(conversationSpan(projectId, 1, undefined)))
  await place.store.insertLines('calls', toCallLine(conversationSpan(projectId, 2, 1)))
  // The parent comes in after the child has looked for it, and looks for the child's turn before that is there.
  const slow: Store = {
    ...place.store,
    insert: async (table, rows) => {
      if (table === 'turns' && rows.length > 0 && (await turnIds(projectId)).length === 0) {
        await deriveTurns(place.store, projectId, [idOf(1)])
      }
      await place.store.insert(table, rows)
    },
  }
  await deriveTurns(slow, projectId, [idOf(2)])
  expect(await turnIds(projectId)).toEqual([{ id: idOf(1) }])
})

test('spans below a turn that was there before them are never written as turns', async () => {
  const projectId = 'never/turns'
  await writers[0]?.write([conversationSpan(projectId, 0, undefined)])
  await readThreads(projectId)
  await writers[0]?.write(Array.from({ length: 50 }, (_, index) => conversationSpan(projectId, index + 1, index)))
  expect(await readThreads(projectId)).toMatchObject([{ turn_count: 1 }])
  const sql = 'SELECT DISTINCT id FROM turns WHERE project_id = {project_id:String}'
  expect(await place.store.query(sql, { project_id: projectId }, z.object({ id: z.string() }))).toEqual([{ id: idOf(0) }])
})

test('the same ids in another project are other spans', async () => {
  await writers[0]?.write([conversationSpan('one/conversations', 1, 0), conversationSpan('two/conversations', 0, undefined)])
  expect(await readThreads('one/conversations')).toMatchObject([{ turn_count: 1, first_turn_id: idOf(1) }])
  expect(await readThreads('two/conversations')).toMatchObject([{ turn_count: 1, first_turn_id: idOf(0) }])
})
