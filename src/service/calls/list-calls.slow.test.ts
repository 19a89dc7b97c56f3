import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { QueryCalls, QueryCallStats } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { countCalls } from './count-calls'
import { listCalls } from './list-calls'
import { matchesFilter, referenceCalls, sortCalls } from './testing/reference-calls'
import { asSent } from './testing/as-sent'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

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
const requests = fc.record({
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

async function list(request: unknown): Promise<Call[]> {
  const calls: Call[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse(request))) calls.push(...batch)
  return calls.map(asSent)
}

let run = 0
testProperty(
  'whatever parts arrive, in any order, calls are listed and counted as the reference model says',
  fc.tuple(parts, fc.array(requests, { minLength: 12, maxLength: 12 })),
  { runs: 12, timeoutMs: 300_000 },
  async ([someParts, someRequests]) => {
    const project_id = `property/run-${(run += 1)}`
    const rows: CallRow[] = someParts.map((part) => ({ project_id, ...part }))
    // Two requests, and two parts arrive twice.
    const middle = rows.length >> 1
    await fixture.writer.write(rows.slice(0, middle))
    await fixture.writer.write([...rows.slice(middle), ...rows.slice(0, 2)])
    const calls = referenceCalls(rows)
    for (const { since, filter, sort_by, limit, offset = 0 } of someRequests) {
      const query = since && { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: since }] } }
      const matching = calls.filter(
        (call) => matchesFilter(call, filter ?? {}) && (!since || Date.parse(call.started_at) >= Date.parse(since)),
      )
      const page = sortCalls(matching, sort_by).slice(offset, limit === undefined ? undefined : offset + limit)
      const listRequest = { project_id, filter, query, sort_by, limit, offset }
      expect(await list(listRequest), JSON.stringify(listRequest)).toEqual(page)
      const countRequest = QueryCallStats.parse({ project_id, filter, query, limit })
      const count = await countCalls(fixture, countRequest, {})
      expect(count, JSON.stringify(countRequest)).toBe(Math.min(matching.length, limit ?? Infinity))
    }
  },
)
