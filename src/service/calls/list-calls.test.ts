import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueryCalls } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import type { CallRow } from '../ingest/call-row'
import { countCalls } from './count-calls'
import { type CallReaders, listCalls } from './list-calls'
import { matchesFilter, referenceCalls, sortCalls } from './testing/reference-calls'
import { asSent } from './testing/as-sent'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const instantAt = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

/** Part of the call `index`, which starts `index` seconds after the first. */
const part = (project_id: string, index: number, more: Partial<CallRow> = {}): CallRow => ({
  project_id,
  id: String(index).padStart(16, '0'),
  trace_id: 'a'.repeat(32),
  op_name: 'a',
  started_at: instantAt(index),
  ...more,
})

async function list(request: unknown): Promise<Call[]> {
  const calls: Call[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse(request))) calls.push(...batch)
  return calls.map(asSent)
}

test('calls are merged from their parts and listed in batches, the oldest first', async () => {
  const id = '0'.repeat(16)
  await fixture.writer.write([
    { project_id: 'acme/support', id, trace_id: 'a'.repeat(32), op_name: 'answer', started_at: '2026-01-31T09:30:00Z' },
    { project_id: 'acme/support', id, ended_at: '2026-01-31T09:30:01.5Z', output: 'Yes' },
  ])
  const request = QueryCalls.parse({ project_id: 'acme/support', columns: ['op_name', 'output', 'summary'], limit: 10 })
  for await (const calls of listCalls(fixture, request)) {
    expect(calls.map(asSent)).toMatchObject([
      { id, op_name: 'answer', output: 'Yes', summary: { weave: { status: 'success', latency_ms: 1500, trace_name: 'answer' } } },
    ])
  }
})

test('a request that is aborted waits no longer for turns, neither for calls nor for their number', async () => {
  const { signal } = new AbortController()
  const signals: unknown[] = []
  const flush: CallReaders['deriver']['flush'] = async (_, options) => void signals.push(options?.signal)
  const readers = { store: fixture.store, related: fixture.related, searches: fixture.searches, deriver: { flush } }
  const request = QueryCalls.parse({ project_id: 'acme/support', filter: { turn_ids: ['0'.repeat(16)] } })
  for await (const calls of listCalls(readers, request, { signal })) expect(calls).toEqual([])
  expect(await countCalls(readers, request, { signal })).toBe(0)
  expect(signals).toEqual([signal, signal])
})

test.each([
  [{ error: 1 }, 'descendant_error'],
  [{ error: 1.5 }, 'descendant_error'],
  [{ error: 0.5 }, 'success'],
  [{ error: 0 }, 'success'],
  [{ error: '2' }, 'success'],
  [{ error: true }, 'success'],
  [{ error: null }, 'success'],
  [[2], 'success'],
  ['text', 'success'],
])('a call whose client counted %j below has the status %s, and is found by it', async (status_counts, status) => {
  const project_id = `status/${encodeURIComponent(JSON.stringify(status_counts))}`
  await fixture.writer.write([part(project_id, 1, { ended_at: instantAt(2), summary: { status_counts } })])
  const query = { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: status }] } }
  expect(await list({ project_id, query })).toMatchObject([{ summary: { status_counts, weave: { status } } }])
})

test.each([2 ** 63, 2 ** 64, -(2 ** 63), -(2 ** 64), 1e20, -1e20, 1e21])(
  'a call with the number %d in each of its values is returned with it, and found by what is beside it',
  async (number) => {
    const project_id = `numbers/${encodeURIComponent(number)}`
    const value = { kind: 'large', list: [number], deep: { number } }
    await fixture.writer.write([part(project_id, 1, { attributes: value, inputs: value, output: value, summary: value })])
    for (const field of ['attributes', 'inputs', 'output', 'summary']) {
      const equals = (key: string, literal: unknown) => ({ $eq: [{ $getField: `${field}.${key}` }, { $literal: literal }] })
      const query = { $expr: { $and: [equals('kind', 'large'), equals('deep.number', number)] } }
      expect(await list({ project_id, query })).toMatchObject([
        { attributes: value, inputs: value, output: value, summary: value },
      ])
    }
  },
)

test.each([
  ['weave:///e/p/op/ask:v1', 'ask'],
  ['weave-trace-internal:///e/p/op/ask:v1', 'ask'],
  ['weave:///e/p/op/two\nlines:v1', 'two\nlines'],
  ['weave:///e/p/op/a:b:v1', 'a'],
  ['weave:///e/p/op/ask', 'weave:///e/p/op/ask'],
  ['https://host/op/ask:v1', 'https://host/op/ask:v1'],
  ['', ''],
])('the op %j gives the trace name %j, and is found by it', async (op_name, trace_name) => {
  const project_id = `names/op-${encodeURIComponent(op_name)}`
  await fixture.writer.write([part(project_id, 1, { op_name })])
  const query = { $expr: { $eq: [{ $getField: 'summary.weave.trace_name' }, { $literal: trace_name }] } }
  expect(await list({ project_id, query })).toMatchObject([{ op_name, summary: { weave: { trace_name } } }])
})

test('the first page is complete where parts arrived several times, and where all parts report different starts', async () => {
  const again = [0, 1, 2].map((index) => part('again/p', index))
  for (let time = 0; time < 5; time += 1) await fixture.writer.write(again)
  const conflicting = Array.from({ length: 12 }, (_, index) =>
    [20, 7, 3].map((factor) => part('conflict/p', index, { started_at: instantAt((factor * (index + 3)) % 29) })),
  )
  await fixture.writer.write(conflicting.flat())
  for (const [project_id, rows] of [
    ['again/p', again],
    ['conflict/p', conflicting.flat()],
  ] as const) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const limit of [1, 2, 3, 5, 12, 128, 129]) {
        const sort_by = [{ field: 'started_at', direction }]
        const page = sortCalls(referenceCalls(rows), sort_by).slice(0, limit)
        expect(await list({ project_id, sort_by, limit }), JSON.stringify({ project_id, direction, limit })).toEqual(page)
      }
    }
  }
})

test('a page of a thread or a trace is complete where parts conflict, starts are equal and calls are deleted', async () => {
  const project_id = 'page/p'
  const ofThread = (index: number, more: Partial<CallRow> = {}) => part(project_id, index, { thread_id: 'a', ...more })
  const rows = [
    ...[3, 1, 2].map((index) => ofThread(index)),
    // The same start: the id decides.
    ...[5, 4].map((index) => ofThread(index, { started_at: instantAt(10) })),
    // Another part has an earlier start and names no thread.
    ofThread(6),
    part(project_id, 6, { started_at: instantAt(0), trace_id: 'b'.repeat(32) }),
    // Another part names a higher thread, so the call has left this one.
    ofThread(7),
    part(project_id, 7, { thread_id: 'b' }),
  ]
  await fixture.writer.write([...rows, ofThread(8)])
  await fixture.writer.write([{ project_id, id: part(project_id, 8).id, deleted_at: instantAt(20) }])
  const calls = referenceCalls(rows)
  for (const filter of [{ thread_ids: ['a'] }, { trace_ids: ['a'.repeat(32)] }, { trace_ids: ['b'.repeat(32)] }]) {
    for (const direction of ['asc', 'desc'] as const) {
      const sort_by = [{ field: 'started_at', direction }]
      const expected = sortCalls(
        calls.filter((call) => matchesFilter(call, filter)),
        sort_by,
      )
      for (const [offset, limit] of [
        [0, 50],
        [0, 3],
        [2, 2],
      ] as const) {
        const request = { project_id, filter, sort_by, offset, limit }
        expect(await list(request), JSON.stringify(request)).toEqual(expected.slice(offset, offset + limit))
      }
    }
  }
})

test('a list without a limit has every call once, and may be left early', async () => {
  const project_id = 'long/p'
  await fixture.writer.write(Array.from({ length: 300 }, (_, index) => part(project_id, index)))
  const all = await list({ project_id })
  expect(new Set(all.map(({ id }) => id)).size).toBe(300)
  expect(all).toHaveLength(300)
  for await (const [first] of listCalls(fixture, QueryCalls.parse({ project_id }))) {
    expect(first?.id).toBe('0'.repeat(16))
    break
  }
})

test.each([
  ['a first page', { limit: 5 }],
  ['a list without a limit', {}],
])('%s of large calls comes in batches that fit the memory', async (_, request) => {
  const project_id = 'large/p'
  const text = 'x'.repeat(12 * 1024 * 1024)
  const rows = Array.from({ length: 5 }, (__, index) => part(project_id, index, { inputs: { text } }))
  for (const row of rows) await fixture.writer.write([row])
  const lengths: number[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse({ project_id, ...request }))) {
    lengths.push(batch.length)
    for (const call of batch) expect(asSent(call).inputs).toEqual({ text })
  }
  expect(lengths).toEqual([2, 1, 1, 1])
})
