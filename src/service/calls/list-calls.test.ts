import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueryCalls } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import type { CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { TurnDeriver } from '../derive/turn-deriver'
import { callConditions } from './call-conditions'
import { countCalls } from './count-calls'
import { firstCalls } from './first-calls'
import { listCalls } from './list-calls'
import { isWanted, plainCalls, sortedCalls } from './testing/plain-calls'
import { silentLogger } from '../testing/silent-logger'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let summary: TurnDeriver
let writer: CallWriter
beforeAll(async () => {
  place = await openTemporaryStore()
  summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  writer = new CallWriter(place.store, summary)
})
afterAll(async () => {
  await writer.close()
  await place.remove()
})

const ids = Array.from({ length: 8 }, (_, index) => String(index + 1).padStart(16, '0'))
const traces = ['a', 'b', 'c'].map((digit) => digit.repeat(32))
const threads = ['t', 'ü', '']
const ops = ['weave:///e/p/op/ask:1', 'weave:///e/p/op/ask:2', 'weave:///e/p/op/asked:1', 'plain', '']
const users = ['ann', 'bob']
const start = Date.UTC(2026, 0, 1)
const instant = fc.integer({ min: 0, max: 6 }).map((second) => new Date(start + second * 500).toISOString())
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const json = fc.constantFrom<unknown>({ q: 1 }, { q: 'x' }, { q: 2.5, deep: { list: [1, 'two'] } }, { q: null }, {}, { q: 'é' })

const startPart = fc.record({
  id: fc.constantFrom(...ids),
  trace_id: fc.constantFrom(...traces),
  parent_id: maybe(fc.constantFrom(...ids)),
  thread_id: maybe(fc.constantFrom(...threads)),
  turn_id: maybe(fc.constantFrom(...ids)),
  op_name: fc.constantFrom(...ops),
  display_name: maybe(fc.constantFrom('named', 'Named')),
  wb_user_id: maybe(fc.constantFrom(...users)),
  started_at: instant,
  attributes: json,
  inputs: json,
})
const endPart = fc.record({
  id: fc.constantFrom(...ids),
  ended_at: instant,
  exception: maybe(fc.constantFrom('failed', 'raised')),
  output: maybe(json),
  summary: fc.constantFrom({}, { status_counts: { error: 1 } }, { status_counts: { error: 0, success: 2 }, usage: {} }),
})
const rename = fc.record({
  id: fc.constantFrom(...ids),
  given_name: fc.record({ version: fc.integer({ min: 2, max: 3 }), name: fc.constantFrom('new') }),
})
const parts = fc.array(fc.oneof({ weight: 3, arbitrary: startPart }, { weight: 2, arbitrary: endPart }, rename), {
  minLength: 1,
  maxLength: 24,
})

const some = (values: readonly string[]) => maybe(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }))
const fields = [
  'id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'exception',
  'wb_user_id',
  'summary.weave.status',
  'summary.weave.latency_ms',
  'summary.weave.trace_name',
  'inputs.q',
  'output.deep.list',
  'inputs.deep.list.1',
  'attributes.missing',
]
const request = fc.record({
  filter: maybe(
    fc.record(
      {
        call_ids: some(ids),
        trace_ids: some(traces),
        parent_ids: some(ids),
        thread_ids: some(threads),
        turn_ids: some(ids),
        wb_user_ids: some(users),
        op_names: some([...ops, 'weave:///e/p/op/ask:*', 'nothing']),
        trace_roots_only: maybe(fc.boolean()),
      },
      { requiredKeys: [] },
    ),
  ),
  since: maybe(instant),
  sort_by: maybe(
    fc.array(
      fc.record({
        field: fc.oneof(fc.constant('started_at'), fc.constantFrom(...fields)),
        direction: fc.constantFrom('asc' as const, 'desc' as const),
      }),
      { maxLength: 2 },
    ),
  ),
  limit: maybe(fc.integer({ min: 0, max: 6 })),
  offset: maybe(fc.integer({ min: 0, max: 3 })),
})

async function listed(input: unknown): Promise<Call[]> {
  const calls: Call[] = []
  for await (const batch of listCalls({ store: place.store, deriver: summary }, QueryCalls.parse(input))) calls.push(...batch)
  return calls
}

test('parts in any order, conflicting, repeated and split over requests give the calls of the definition, however asked', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(parts, fc.array(request, { minLength: 12, maxLength: 12 }), async (someParts, requests) => {
      const project_id = `property/run-${(run += 1)}`
      const rows: CallRow[] = someParts.map((part) => ({ project_id, ...part }))
      const middle = rows.length >> 1
      await writer.write(rows.slice(0, middle))
      await writer.write([...rows.slice(middle), ...rows.slice(0, 2)])
      const calls = plainCalls(rows)
      for (const { since, filter, sort_by, limit, offset } of requests) {
        const query = since && { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: since }] } }
        const input = { project_id, filter, query, sort_by, limit, offset }
        const wanted = calls.filter(
          (call) => isWanted(call, filter ?? {}) && (!since || Date.parse(call.started_at) >= Date.parse(since)),
        )
        const from = offset ?? 0
        const page = sortedCalls(wanted, sort_by).slice(from, limit === undefined ? undefined : from + limit)
        expect(await listed(input), JSON.stringify(input)).toEqual(page)
        const count = await countCalls(
          { store: place.store, deriver: summary },
          QueryCalls.parse({ project_id, filter, query, limit }),
          {},
        )
        expect(count, JSON.stringify(input)).toBe(Math.min(wanted.length, limit ?? Infinity))
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)

test('pages of the first calls are exact where starts conflict, whichever end they are read from', async () => {
  const project_id = 'first/p'
  // Every third call says three starts, far apart, and the parts with the later ones name another op.
  const rows = Array.from({ length: 400 }, (_, index) =>
    (index % 3 === 0 ? [900, 300, 600] : [index * 2]).map((seconds): CallRow => ({
      project_id,
      id: String(index).padStart(16, '0'),
      trace_id: 'a'.repeat(32),
      op_name: seconds === 900 ? 'z' : 'a',
      started_at: new Date(start + ((seconds + index) % 1000) * 1000).toISOString(),
    })),
  ).flat()
  await writer.write(rows)
  const calls = plainCalls(rows)
  for (const direction of ['asc', 'desc'] as const) {
    const sort_by = [{ field: 'started_at', direction }]
    for (const filter of [{}, { op_names: ['z'] }, { op_names: ['a'] }, { trace_roots_only: true }, { op_names: ['nothing'] }]) {
      const wanted = sortedCalls(
        calls.filter((call) => isWanted(call, filter)),
        sort_by,
      ).map(({ id }) => id)
      for (const offset of [0, 1, 50, 130, 390, 1000]) {
        const page = await listed({ project_id, filter, sort_by, limit: 10, offset, columns: ['id'] })
        expect(
          page.map(({ id }) => id),
          JSON.stringify({ direction, filter, offset }),
        ).toEqual(wanted.slice(offset, offset + 10))
      }
    }
  }
})

test('the first page is whole where parts came again and again, and where every start conflicts', async () => {
  const part = (project_id: string, index: number, seconds: number): CallRow => ({
    project_id,
    id: String(index).padStart(16, '0'),
    trace_id: 'a'.repeat(32),
    op_name: 'a',
    started_at: new Date(start + seconds * 1000).toISOString(),
  })
  const again = [0, 1, 2].map((index) => part('again/p', index, index))
  for (let time = 0; time < 5; time += 1) await writer.write(again)
  const conflicting = Array.from({ length: 12 }, (_, index) =>
    [20, 7, 3].map((far) => part('conflict/p', index, (far * (index + 3)) % 29)),
  )
  await writer.write(conflicting.flat())
  for (const [project_id, rows] of [
    ['again/p', again],
    ['conflict/p', conflicting.flat()],
  ] as const) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const limit of [1, 2, 3, 5, 12, 128, 129]) {
        const sort_by = [{ field: 'started_at', direction }]
        const page = sortedCalls(plainCalls(rows), sort_by).slice(0, limit)
        expect(await listed({ project_id, sort_by, limit }), JSON.stringify({ project_id, direction, limit })).toEqual(page)
      }
    }
  }
})

test('where too few of the first are what is asked for, all are gone through', async () => {
  const project_id = 'sparse/p'
  const rows = Array.from({ length: 300 }, (_, index) => ({
    project_id,
    id: String(index).padStart(16, '0'),
    trace_id: 'a'.repeat(32),
    op_name: 'a',
    started_at: new Date(start + index * 1000).toISOString(),
    inputs: { index },
  }))
  await writer.write(rows)
  const input = QueryCalls.parse({
    project_id,
    query: { $expr: { $gte: [{ $getField: 'inputs.index' }, { $literal: 299 }] } },
    limit: 1,
  })
  const asked = {
    projectId: project_id,
    filter: {},
    query: input.query,
    conditions: callConditions(input),
    direction: 'asc',
    limit: 1,
    offset: 0,
  } as const
  expect(await firstCalls(place.store, asked, {}, 100)).toBeUndefined()
  expect(await firstCalls(place.store, { ...asked, direction: 'desc' }, {}, 100)).toEqual([rows[299]?.id])
  expect((await listed({ ...input, sort_by: [] })).map(({ id }) => id)).toEqual([rows[299]?.id])
})

test('a list without an end has every call once, and may be left early', async () => {
  const project_id = 'sparse/p'
  const all = await listed({ project_id })
  expect(new Set(all.map(({ id }) => id)).size).toBe(300)
  expect(all).toHaveLength(300)
  for await (const [first] of listCalls({ store: place.store, deriver: summary }, QueryCalls.parse({ project_id }))) {
    expect(first?.id).toBe('0'.repeat(16))
    break
  }
})

test.each([
  ['the first page', { limit: 5 }],
  ['a list without an end', {}],
])('%s of large calls comes in batches that fit the memory', async (_, asked) => {
  const project_id = 'large/p'
  const text = 'x'.repeat(12 * 1024 * 1024)
  const rows = Array.from({ length: 5 }, (__, index) => ({
    project_id,
    id: String(index).padStart(16, '0'),
    trace_id: 'a'.repeat(32),
    op_name: 'a',
    started_at: new Date(start + index * 1000).toISOString(),
    inputs: { text },
  }))
  for (const row of rows) await writer.write([row])
  const lengths: number[] = []
  for await (const batch of listCalls({ store: place.store, deriver: summary }, QueryCalls.parse({ project_id, ...asked }))) {
    lengths.push(batch.length)
    for (const call of batch) expect(call.inputs).toEqual({ text })
  }
  expect(lengths).toEqual([2, 1, 1, 1])
})
