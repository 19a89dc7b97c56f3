import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { QueryCalls } from '../../contract/call-requests'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { fillInconsistentCalls } from '../store/call-tables'
import { sql } from '../store/sql'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { toSelection } from './call-rows'
import { listCalls } from './list-calls'
import { findIdsByIndex, readIndexPage } from './read-index-page'
import type { MergedCallRow } from './stored-call-row'
import { matchesFilter, referenceCalls, sortCalls } from './testing/reference-calls'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const selection = toSelection(['output'], false, false)
const traceId = 'a'.repeat(32)
const instantAt = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const idOf = (index: number) => index.toString(16).padStart(16, '0')

/** Part of the call `index`, which starts `index` seconds after the first. */
const part = (project_id: string, index: number, more: Partial<CallRow> = {}): CallRow => ({
  project_id,
  id: idOf(index),
  trace_id: traceId,
  thread_id: 'long',
  op_name: 'op',
  started_at: instantAt(index),
  ...more,
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => idOf(from + index))

type Request = { project_id: string; [field: string]: unknown }

/** The calls of the page by index, undefined where it is not found so. */
async function readCalls(request: Request, spareCalls?: number): Promise<MergedCallRow[] | undefined> {
  const deps = {
    store: fixture.store,
    searches: fixture.searches,
    selection,
    ...(spareCalls !== undefined && { spareCalls }),
  }
  return await readIndexPage(deps, QueryCalls.parse(request), {})
}
/** Their ids. */
async function readPage(request: Request): Promise<string[] | undefined> {
  return (await readCalls(request))?.map(({ id }) => id)
}
async function list(request: object): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse(request))) ids.push(...batch.map(({ id }) => id))
  return ids
}
const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const filters = [{ thread_ids: ['long'] }, { trace_ids: [traceId] }]

/** 500 calls, each of which arrived twice. */
async function writeLong(projectId: string, more: readonly CallRow[] = []): Promise<void> {
  const rows = Array.from({ length: 500 }, (_, index) => part(projectId, index))
  await fixture.writer.write(rows)
  await fixture.writer.write([...rows, ...more])
}

test.each(filters)('the first and the last calls of %j are found by index, however many calls it has', async (filter) => {
  const project_id = `index/${Object.keys(filter)[0]}`
  await writeLong(project_id)
  expect(await readPage({ project_id, filter, limit: 50 })).toEqual(range(0, 50))
  expect(await readPage({ project_id, filter, limit: 50, offset: 20 })).toEqual(range(20, 70))
  const last = range(430, 480).toReversed()
  expect(await readPage({ project_id, filter, limit: 50, offset: 20, sort_by: newestFirst })).toEqual(last)
})

test.each(filters)('the few calls of %j are in the order of their starts, to the microsecond', async (filter) => {
  const project_id = `few/${Object.keys(filter)[0]}`
  const starts = ['10:00:00.5Z', '10:00:00Z', '10:00:00.000001Z', '10:00:00Z', '09:59:59.999999Z']
  await fixture.writer.write(starts.map((time, index) => part(project_id, index, { started_at: `2026-01-01T${time}` })))
  const inOrder = [4, 1, 3, 2, 0].map(idOf)
  expect(await readPage({ project_id, filter, limit: 50 })).toEqual(inOrder)
  expect(await readPage({ project_id, filter, limit: 2, offset: 3 })).toEqual(inOrder.slice(3))
  expect(await readPage({ project_id, filter, limit: 50, sort_by: newestFirst })).toEqual(inOrder.toReversed())
})

test.each(filters)('calls of %j that are deleted or have left are no part of the page', async (filter) => {
  const project_id = `left/${Object.keys(filter)[0]}`
  await writeLong(project_id, [{ project_id, id: idOf(1), deleted_at: instantAt(900) }])
  const request = { project_id, filter, limit: 50 }
  expect(await readPage(request)).toEqual([idOf(0), ...range(2, 51)])
  // The greatest name counts.
  await fixture.writer.write([3, 498].map((index) => part(project_id, index, { trace_id: 'f'.repeat(32), thread_id: 'short' })))
  expect(await list(request)).toEqual([idOf(0), idOf(2), ...range(4, 52)])
  const last = [idOf(499), ...range(449, 498).toReversed()]
  expect(await readPage({ ...request, sort_by: newestFirst })).toEqual(last)
})

test.each(filters)('a call of %j that began before the part that names it is in its place', async (filter) => {
  const project_id = `restarted/${Object.keys(filter)[0]}`
  const earlier = part(project_id, 400, { started_at: instantAt(-5), trace_id: '0'.repeat(32) })
  delete earlier.thread_id
  await writeLong(project_id, [earlier])
  const request = { project_id, filter, limit: 50 }
  for (const isDerived of [false, true]) {
    if (isDerived) await fixture.searches.flush(project_id)
    expect(await readPage(request)).toBeUndefined()
    expect(await list(request)).toEqual([idOf(400), ...range(0, 49)])
  }
  // Newest first, it is not where it would be by that part.
  const last = [...range(401, 500).toReversed(), ...range(399, 400)]
  expect(await list({ ...request, limit: 100, sort_by: newestFirst })).toEqual(last)
})

test('calls whose parts disagree are found in a store of an older version too', async () => {
  const project_id = 'restarted/older'
  await fixture.insertUnderived(part(project_id, 1), part(project_id, 2))
  await fixture.insertUnderived(part(project_id, 2, { started_at: instantAt(0) }))
  await fixture.insertUnderived(part(project_id, 3), part(project_id, 4))
  await fixture.insertUnderived(part(project_id, 3, { thread_id: 'short' }), part(project_id, 4, { trace_id: 'b'.repeat(32) }))
  await fixture.store.command(fillInconsistentCalls)
  const inconsistent = sql`SELECT DISTINCT id FROM inconsistent_calls WHERE project_id = ${project_id} ORDER BY id`
  expect(await fixture.store.query(inconsistent, z.object({ id: z.string() }))).toEqual(range(2, 5).map((id) => ({ id })))
})

/** The ids that are found without looking at the calls, undefined where they are not. */
async function findIds(request: Request): Promise<string[] | undefined> {
  const batches = await findIdsByIndex(fixture, QueryCalls.parse(request), {})
  if (!batches) return undefined
  const ids: string[] = []
  for await (const batch of batches) ids.push(...batch)
  return ids
}

test.each(filters)('any page of %j is found without looking at its calls, and all of them are', async (filter) => {
  const project_id = `any/${Object.keys(filter)[0]}`
  await writeLong(project_id, [{ project_id, id: idOf(1), deleted_at: instantAt(900) }])
  const request = { project_id, filter, limit: 100, offset: 350 }
  expect(await findIds(request)).toEqual(range(351, 451))
  expect(await list(request)).toEqual(range(351, 451))
  expect(await findIds({ ...request, sort_by: newestFirst })).toEqual(range(51, 150).toReversed().concat(idOf(50)))
  const all = [idOf(0), ...range(2, 500)]
  expect(await findIds({ project_id, filter })).toEqual(all)
  expect(await list({ project_id, filter })).toEqual(all)
})

test.each([
  ['start', { started_at: instantAt(-5) }],
  ['thread', { thread_id: 'short' }],
  ['trace', { trace_id: 'f'.repeat(32) }],
])('where parts of a call name another %s, its thread and trace are searched', async (what, more) => {
  const project_id = `disagree/${what}`
  const other = part(project_id, 900, { thread_id: 'other', trace_id: 'b'.repeat(32) })
  await writeLong(project_id, [part(project_id, 400, more), other])
  for (const isDerived of [false, true]) {
    if (isDerived) await fixture.searches.flush(project_id)
    for (const filter of filters) expect(await findIds({ project_id, filter, limit: 10, offset: 400 })).toBeUndefined()
  }
  expect(await findIds({ project_id, filter: { thread_ids: ['other'] } })).toEqual([idOf(900)])
})

test('another filter, a condition or another order is none of an index', async () => {
  const project_id = 'index/thread_ids'
  const request = { project_id, filter: { thread_ids: ['long'] }, limit: 50 }
  expect(await readPage({ ...request, limit: 301 })).toBeUndefined()
  expect(await readPage({ project_id, filter: { thread_ids: ['long'] } })).toBeUndefined()
  expect(await readPage({ ...request, filter: { thread_ids: ['long'], op_names: ['other'] } })).toBeUndefined()
  expect(await readPage({ ...request, filter: { thread_ids: ['long'], trace_ids: [traceId] } })).toBeUndefined()
  expect(await readPage({ ...request, sort_by: [{ field: 'op_name', direction: 'asc' }] })).toBeUndefined()
  const query = { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'other' }] } }
  expect(await readPage({ ...request, query })).toBeUndefined()
})

const calls = Array.from({ length: 12 }, (_, index) => index)
const start = fc.record(
  {
    index: fc.constantFrom(...calls),
    second: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 2, nil: undefined }),
    hasStart: fc.constantFrom(true, true, true, false),
    output: fc.constantFrom('a', 'b', 'c'),
    trace_id: fc.constantFrom(traceId, traceId, '0'.repeat(32)),
    thread_id: fc.constantFrom('long', 'long', 'a'),
    // Few calls are deleted.
    deleted_at: fc.oneof(
      { weight: 20, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(instantAt(900)) },
    ),
  },
  { requiredKeys: ['index'] },
)
const page = fc.record({
  filter: fc.constantFrom<{ thread_ids?: string[]; trace_ids?: string[] }>(
    { thread_ids: ['long'] },
    { trace_ids: [traceId] },
    { thread_ids: ['long', 'a'] },
    {},
  ),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 3 }),
  isDerived: fc.boolean(),
})

let run = 0
testProperty(
  'whatever parts arrive, a page by index is that of the reference model',
  fc.tuple(
    fc.array(fc.array(start, { minLength: 6, maxLength: 24 }), { minLength: 1, maxLength: 3 }),
    fc.array(page, { minLength: 8, maxLength: 12 }),
  ),
  { runs: 4, timeoutMs: 120_000 },
  async ([writes, pages]) => {
    const project_id = `property/run-${(run += 1)}`
    const rows: CallRow[] = []
    for (const starts of writes) {
      const written = starts.map(({ index, second = index, hasStart = true, output, deleted_at, ...more }): CallRow => {
        const own = { project_id, id: idOf(index), output, deleted_at }
        // A part without a start says nothing of a place.
        const place = { trace_id: traceId, op_name: 'op', started_at: instantAt(second) }
        return Object.assign(own, hasStart && place, hasStart && more)
      })
      await fixture.writer.write(written)
      rows.push(...written)
      const shown = referenceCalls(rows.filter(({ id }) => !rows.some((row) => row.id === id && row.deleted_at)))
      for (const { filter, direction, limit, offset, isDerived } of pages) {
        if (isDerived) await fixture.searches.flush(project_id)
        const sort_by = [{ field: 'started_at' as const, direction }]
        const matching = sortCalls(
          shown.filter((call) => matchesFilter(call, filter)),
          sort_by,
        )
        const expected = matching.slice(offset, offset + limit).map(({ id, output }) => ({ id, output }))
        const request = { project_id, filter, sort_by, limit, offset }
        const found = await readCalls(request, 1)
        const shownCalls = found?.map(({ id, output }) => ({ id, output: output ? JSON.parse(output) : null }))
        if (shownCalls) expect(shownCalls, JSON.stringify(request)).toEqual(expected)
        const foundIds = await findIds(request)
        if (foundIds) expect(foundIds, JSON.stringify(request)).toEqual(expected.map(({ id }) => id))
      }
    }
  },
)
