import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueryCalls } from '../../contract/call-requests'
import type { CallRow } from '../ingest/call-row'
import { chooseSource, findCallIds, findPageByStart } from './find-call-ids'
import { matchesFilter, referenceCalls, sortCalls } from './testing/reference-calls'
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

async function find(request: unknown): Promise<string[]> {
  const ids: string[] = []
  const query = QueryCalls.parse(request)
  const source = await chooseSource(fixture.store, query, {})
  for await (const batch of findCallIds(fixture, query, source, {})) ids.push(...batch)
  return ids
}

test('ids are found in the order of the request', async () => {
  await fixture.writer.write([1, 2, 3].map((index) => part('acme/support', index)))
  const request = { project_id: 'acme/support', sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 2 }
  expect(await find(request)).toEqual(['0000000000000003', '0000000000000002'])
})

test('a page by index gives up where too few of the examined starts match; the search finds the calls', async () => {
  const project_id = 'sparse/p'
  await fixture.writer.write(Array.from({ length: 300 }, (_, index) => part(project_id, index, { inputs: { index } })))
  const query = { $expr: { $gte: [{ $getField: 'inputs.index' }, { $literal: 299 }] } }
  const page = { ...QueryCalls.parse({ project_id, query }), limit: 1, offset: 0 }
  const last = [String(299).padStart(16, '0')]
  expect(await findPageByStart(fixture.store, { query: page, direction: 'asc' }, {}, 100)).toBeUndefined()
  expect(await findPageByStart(fixture.store, { query: page, direction: 'desc' }, {}, 100)).toEqual(last)
  expect(await find(page)).toEqual(last)
})

test('a page by index is found behind more deleted calls than it examines', async () => {
  const project_id = 'deleted/p'
  const rows = Array.from({ length: 300 }, (_, index) => part(project_id, index))
  await fixture.writer.write(rows)
  await fixture.writer.write(rows.slice(50, 290).map(({ id }) => ({ project_id, id, deleted_at: instantAt(0) })))
  const page = { ...QueryCalls.parse({ project_id }), limit: 4, offset: 8 }
  expect(await findPageByStart(fixture.store, { query: page, direction: 'desc' }, {}, 100)).toEqual(
    [291, 290, 49, 48].map((index) => String(index).padStart(16, '0')),
  )
})

test('the newest and the oldest pages are exact where parts of a call report different starts', async () => {
  const project_id = 'conflicting/p'
  // Every third call has parts with three starts, far apart, and the part with the latest start names another op.
  const rows = Array.from({ length: 400 }, (_, index) =>
    (index % 3 === 0 ? [900, 300, 600] : [index * 2]).map((seconds) =>
      part(project_id, index, { op_name: seconds === 900 ? 'z' : 'a', started_at: instantAt((seconds + index) % 1000) }),
    ),
  ).flat()
  await fixture.writer.write(rows)
  const calls = referenceCalls(rows)
  for (const direction of ['asc', 'desc'] as const) {
    const sort_by = [{ field: 'started_at', direction }]
    for (const filter of [{}, { op_names: ['z'] }, { op_names: ['a'] }, { trace_roots_only: true }, { op_names: ['nothing'] }]) {
      const ids = sortCalls(
        calls.filter((call) => matchesFilter(call, filter)),
        sort_by,
      ).map(({ id }) => id)
      for (const offset of [0, 1, 50, 130, 390, 1000]) {
        const request = { project_id, filter, sort_by, limit: 10, offset }
        expect(await find(request), JSON.stringify(request)).toEqual(ids.slice(offset, offset + 10))
      }
    }
  }
})
