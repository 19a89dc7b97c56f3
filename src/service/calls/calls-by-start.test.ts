import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueryCalls, QueryCallStats } from '../../contract/call-requests'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { countByStart, findIdsByStart } from './calls-by-start'
import { countCalls } from './count-calls'
import { listCalls } from './list-calls'
import { matchesFilter, referenceCalls, sortCalls } from './testing/reference-calls'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const instantAt = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const idOf = (index: number) => index.toString(16).padStart(16, '0')
const parentId = 'b'.repeat(16)

/** Part of the call `index`, which starts `index` seconds after the first. Every second call is of the op `odd` and has a parent. */
const part = (project_id: string, index: number, more: Partial<CallRow> = {}): CallRow => ({
  project_id,
  id: idOf(index),
  trace_id: 'a'.repeat(32),
  op_name: index % 2 === 0 ? 'even' : 'odd',
  parent_id: index % 2 === 0 ? undefined : parentId,
  started_at: instantAt(index),
  ...more,
})
const all = Array.from({ length: 500 }, (_, index) => index)
const isEven = (index: number) => index % 2 === 0

/** 500 calls, each of which arrived twice; one of them is deleted. */
async function writeCalls(projectId: string, more: readonly CallRow[] = []): Promise<void> {
  const rows = all.map((index) => part(projectId, index))
  await fixture.writer.write(rows)
  await fixture.writer.write([...rows, { project_id: projectId, id: idOf(2), deleted_at: instantAt(900) }, ...more])
}
const shown = all.filter((index) => index !== 2)

type Request = { project_id: string; [field: string]: unknown }

/** The ids that are found without looking at the calls, undefined where they are not. */
async function find(request: Request): Promise<string[] | undefined> {
  const batches = await findIdsByStart(fixture, QueryCalls.parse(request), {})
  if (!batches) return undefined
  const ids: string[] = []
  for await (const batch of batches) ids.push(...batch)
  return ids
}
const count = (request: Request) => countByStart(fixture, QueryCallStats.parse(request), {})
async function list(request: Request): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of listCalls(fixture, QueryCalls.parse(request))) ids.push(...batch.map(({ id }) => id))
  return ids
}
const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const from = (second: number) => ({ $expr: { $gte: [{ $getField: 'started_at' }, { $literal: instantAt(second) }] } })

test.each([
  ['all calls', {}, shown],
  ['all calls, with a filter of nothing', { filter: { op_names: [], trace_roots_only: false } }, shown],
  ['calls of an op', { filter: { op_names: ['even'] } }, shown.filter(isEven)],
  ['calls of any of two ops', { filter: { op_names: ['odd', 'nothing'] } }, shown.filter((index) => !isEven(index))],
  ['calls without a parent', { filter: { trace_roots_only: true } }, shown.filter(isEven)],
  ['calls of a time', { query: from(100) }, shown.filter((index) => index >= 100)],
  [
    'calls of an op and a time',
    { filter: { op_names: ['even'] }, query: from(100) },
    shown.filter((index) => isEven(index) && index >= 100),
  ],
  ['calls of no op that there is', { filter: { op_names: ['nothing'] } }, []],
])('any page of %s is found and they are counted without looking at them', async (what, selection, expected) => {
  const project_id = `any/${what.replaceAll(/[ ,]/g, '-')}`
  await writeCalls(project_id)
  for (const offset of [0, 150, 220, 480, 100_000]) {
    const request = { project_id, ...selection, limit: 100, offset }
    const page = expected.slice(offset, offset + 100).map(idOf)
    expect(await find(request)).toEqual(page)
    expect(await list(request)).toEqual(page)
    const last = expected.toReversed().slice(offset, offset + 100)
    expect(await find({ ...request, sort_by: newestFirst })).toEqual(last.map(idOf))
  }
  expect(await count({ project_id, ...selection })).toBe(expected.length)
  expect(await count({ project_id, ...selection, limit: 100 })).toBe(Math.min(100, expected.length))
})

test('other filters, other conditions, other orders and too many calls are searched', async () => {
  const project_id = 'other/queries'
  await writeCalls(project_id)
  const ofOp = { op_names: ['even'] }
  for (const more of [
    { limit: undefined },
    { limit: 10_000_001 },
    { filter: ofOp, limit: 10_001 },
    { filter: ofOp, offset: 1_000_000 },
    { filter: { ...ofOp, wb_user_ids: ['someone'] } },
    { query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'even' }] } } },
    { sort_by: [{ field: 'op_name', direction: 'asc' }] },
  ])
    expect(await find({ project_id, limit: 100, ...more }), JSON.stringify(more)).toBeUndefined()
  expect(await list({ project_id })).toEqual(shown.map(idOf))
  expect(await count({ project_id, filter: { ...ofOp, wb_user_ids: ['someone'] } })).toBeUndefined()
})

test('a page is whole, however often its calls arrived', async () => {
  const project_id = 'often/p'
  // Until the engine merges them, the index has more rows than are read for a page.
  const rows = Array.from({ length: 600 }, (_, index) => part(project_id, index))
  for (let time = 0; time < 5; time += 1) await fixture.writer.write(rows)
  expect(await count({ project_id })).toBe(600)
  const ids = rows.map(({ id }) => id)
  for (const offset of [0, 250, 450, 590, 600, 100_000]) {
    const request = { project_id, limit: 100, offset }
    expect(await find(request)).toEqual(ids.slice(offset, offset + 100))
    expect(await find({ ...request, sort_by: newestFirst })).toEqual(ids.toReversed().slice(offset, offset + 100))
  }
})

test.each([
  ['op', { op_names: ['even'] }, { op_name: 'odd' }],
  ['parent', { trace_roots_only: true }, { parent_id: parentId }],
])('a call whose parts name more than one %s is on no page that it is not of', async (what, filter, more) => {
  const project_id = `disagree/${what}`
  await writeCalls(project_id, [part(project_id, 400, more)])
  for (const isDerived of [false, true]) {
    if (isDerived) await fixture.searches.flush(project_id)
    const before = { project_id, filter, limit: 10, offset: 180 }
    expect(await find(before)).toEqual(shown.filter(isEven).slice(180, 190).map(idOf))
    const expected = shown.filter((index) => isEven(index) && index !== 400).slice(195, 205)
    const request = { ...before, offset: 195 }
    expect(await find(request)).toBeUndefined()
    expect(await list(request)).toEqual(expected.map(idOf))
    expect(await count({ project_id, filter })).toBeUndefined()
    expect(await countCalls(fixture, QueryCallStats.parse({ project_id, filter }), {})).toBe(shown.filter(isEven).length - 1)
    expect(await find({ project_id, limit: 10, offset: 395 })).toEqual(shown.slice(395, 405).map(idOf))
  }
})

test.each([
  ['start', { started_at: instantAt(-5) }],
  ['thread', { thread_id: 'short' }],
  ['trace', { trace_id: 'f'.repeat(32) }],
])('where parts of a call name another %s, the project is searched', async (what, more) => {
  const project_id = `disagree/${what}`
  await writeCalls(project_id, [part(project_id, 400, { thread_id: 'long' }), part(project_id, 400, more)])
  for (const isDerived of [false, true]) {
    if (isDerived) await fixture.searches.flush(project_id)
    for (const filter of [{}, { op_names: ['even'] }])
      expect(await find({ project_id, filter, limit: 10, offset: 400 })).toBeUndefined()
  }
})

test.each([
  ['page', findIdsByStart],
  ['count', countByStart],
])('where a part with another start arrives meanwhile, the project is searched for a %s', async (what, read) => {
  for (const [index, filter] of [{}, { trace_roots_only: true }].entries()) {
    const project_id = `meanwhile/${what}-${index}`
    await writeCalls(project_id)
    /** A part of call 400 arrives when all calls are found to be consistent, before they are read. */
    const readWhilePartArrives = async (second: number) => {
      let isWritten = false
      const areConsistent: typeof fixture.searches.areConsistent = async (...check) => {
        const result = await fixture.searches.areConsistent(...check)
        if (!isWritten) await fixture.writer.write([part(project_id, 400, { started_at: instantAt(second) })])
        isWritten = true
        return result
      }
      const query = QueryCalls.parse({ project_id, filter, limit: 1000 })
      return await read({ store: fixture.store, searches: { areConsistent } }, query, {})
    }
    expect(await readWhilePartArrives(400)).toBeDefined()
    expect(await readWhilePartArrives(-5)).toBeUndefined()
  }
})

const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const start = fc.record(
  {
    index: fc.integer({ min: 0, max: 11 }),
    second: seldom(fc.integer({ min: 0, max: 12 })),
    op_name: fc.constantFrom(undefined, undefined, undefined, 'even', 'odd'),
    parent_id: fc.constantFrom(undefined, undefined, undefined, parentId),
    deleted_at: seldom(fc.constant(instantAt(900))),
  },
  { requiredKeys: ['index'] },
)
const page = fc.record({
  filter: fc.constantFrom<{ op_names?: string[]; trace_roots_only?: boolean }>(
    {},
    { op_names: ['even'] },
    { op_names: ['odd'] },
    { trace_roots_only: true },
  ),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 6 }),
  isDerived: fc.boolean(),
})

let run = 0
let foundPages = 0
testProperty(
  'whatever parts arrive, pages and counts by start are those of the reference model',
  fc.tuple(
    fc.array(fc.array(start, { minLength: 4, maxLength: 16 }), { minLength: 1, maxLength: 3 }),
    fc.array(page, { minLength: 8, maxLength: 12 }),
  ),
  { runs: 6, timeoutMs: 120_000 },
  async ([writes, pages]) => {
    const project_id = `property/run-${(run += 1)}`
    const rows: CallRow[] = []
    for (const starts of writes) {
      const written = starts.map(({ index, second = index, ...more }): CallRow => {
        const own = part(project_id, index, { started_at: instantAt(second) })
        const named = Object.entries(more).filter(([, value]) => value !== undefined)
        return Object.assign(own, Object.fromEntries(named))
      })
      await fixture.writer.write(written)
      rows.push(...written)
      const calls = referenceCalls(rows.filter(({ id }) => !rows.some((row) => row.id === id && row.deleted_at)))
      for (const { filter, direction, limit, offset, isDerived } of pages) {
        if (isDerived) await fixture.searches.flush(project_id)
        const sort_by = [{ field: 'started_at' as const, direction }]
        const matching = sortCalls(
          calls.filter((call) => matchesFilter(call, filter)),
          sort_by,
        )
        const request = { project_id, filter, sort_by, limit, offset }
        const found = await find(request)
        foundPages += found ? 1 : 0
        if (found) expect(found, JSON.stringify(request)).toEqual(matching.slice(offset, offset + limit).map(({ id }) => id))
        const counted = await count({ project_id, filter })
        if (counted !== undefined) expect(counted, JSON.stringify(request)).toBe(matching.length)
      }
    }
  },
)

test('the property has looked at pages that were found', () => {
  expect(foundPages).toBeGreaterThan(20)
})
