import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { addHasRareFields } from '../store/call-tables'
import { renderSql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { readCallRows, readMatchingRows, toSelection } from './call-rows'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const all = toSelection(undefined, false, true)
const idOf = (index: number) => `call-${index}`
const part = (project_id: string, index: number, more: Partial<CallRow> = {}): CallRow => ({
  project_id,
  id: idOf(index),
  trace_id: 'a'.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
  inputs: { index },
  ...more,
})
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index))

/** The calls by their ids, and which columns each statement for them named. */
async function read(projectId: string, wanted: readonly string[], selection = all) {
  const statements: string[] = []
  const store: Store = {
    ...fixture.store,
    query: async (statement, schema, options) => {
      statements.push(renderSql(statement).text.includes('deleted_at') ? 'all columns' : 'common columns')
      return await fixture.store.query(statement, schema, options)
    },
  }
  return { rows: await readCallRows(store, projectId, wanted, selection, {}), statements }
}

describe('columns that few calls have', () => {
  test('are read only for the calls that have them', async () => {
    const projectId = 'rows/few'
    await fixture.writer.write(ids(30).map((_, index) => part(projectId, index)))
    expect((await read(projectId, ids(30))).statements).toEqual(['common columns'])
    await fixture.writer.write([
      { project_id: projectId, id: idOf(3), given_name: { version: 2, name: 'Renamed' } },
      { project_id: projectId, id: idOf(4), deleted_at: '2026-01-02T00:00:00Z' },
      { project_id: projectId, id: idOf(5), display_name: '' },
    ])
    const messages = sql`(1, '{"messages":[]}')`
    await fixture.store.command(
      sql`INSERT INTO calls (project_id, id, message_output) SELECT ${projectId}, ${idOf(7)}, ${messages}`,
    )
    const { rows, statements } = await read(projectId, ids(30))
    expect(statements).toEqual(['common columns', 'all columns'])
    expect(rows.map(({ id }) => id)).toEqual(ids(30).filter((id) => id !== idOf(4)))
    expect(rows.find(({ id }) => id === idOf(3))).toMatchObject({ display_name: 'Renamed', inputs: '{"index":3}' })
    expect(rows.find(({ id }) => id === idOf(5))).toMatchObject({ display_name: '' })
    expect(rows.find(({ id }) => id === idOf(6))).toMatchObject({ display_name: null })
    expect(rows.find(({ id }) => id === idOf(7))).toMatchObject({ output: '{"messages":[]}' })
  })

  test('are read at once in a project as long as many calls of its pages have them', async () => {
    const projectId = 'rows/many'
    const named = Array.from({ length: 30 }, (_, index) => part(projectId, index, { display_name: `Name ${index}` }))
    const plain = Array.from({ length: 30 }, (_, index) => part(projectId, 30 + index))
    await fixture.writer.write([...named, ...plain])
    const readPage = async (rows: readonly CallRow[]) => {
      const page = await read(
        projectId,
        rows.map(({ id }) => id),
      )
      expect(page.rows).toEqual(
        rows.map(({ id, display_name: name = null }) => expect.objectContaining({ id, display_name: name })),
      )
      return page.statements
    }
    const both = ['common columns', 'all columns']
    expect(await readPage(named.slice(0, 1))).toEqual(both)
    expect(await readPage(named.slice(0, 19)), 'one call or few say nothing of the others').toEqual(both)
    expect(await readPage(named)).toEqual(both)
    for (const rows of [named, named.slice(0, 1), plain]) expect(await readPage(rows)).toEqual(['all columns'])
    expect(await readPage(plain)).toEqual(['common columns'])
    expect(await readPage(named.slice(0, 1))).toEqual(both)
  })

  test('are found in calls that were stored before that was noted', async () => {
    const projectId = 'rows/older'
    await fixture.store.command(sql`ALTER TABLE calls DROP COLUMN has_rare_fields SETTINGS mutations_sync = 1`)
    const names = { display_name: 'Sent', given_name: { version: 1, name: 'Given' } }
    await fixture.writer.write([...ids(30).map((_, index) => part(projectId, index)), part(projectId, 30, names)])
    await fixture.store.command(addHasRareFields)
    for (const step of [undefined, sql`OPTIMIZE TABLE calls FINAL`]) {
      if (step) await fixture.store.command(step)
      const { rows, statements } = await read(projectId, ids(31))
      expect(statements).toEqual(['common columns', 'all columns'])
      expect(rows.flatMap(({ display_name: name }) => name ?? [])).toEqual(['Given'])
    }
  })
})

test('calls of a time are looked for where calls of that time are, and their parts without a start everywhere', async () => {
  const projectId = 'rows/starts'
  const later = { started_at: '2026-02-01T00:00:00Z' }
  await fixture.store.command(sql`SYSTEM STOP MERGES calls`)
  try {
    await fixture.writer.write([part(projectId, 0), part(projectId, 1, { started_at: '2026-01-01T00:00:00.000001Z' })])
    await fixture.writer.write([part(projectId, 2, later)])
    await fixture.writer.write([part(projectId, 3, later), { project_id: projectId, id: idOf(0), output: 'late' }])
    await fixture.writer.write([{ project_id: projectId, id: idOf(1), deleted_at: '2026-02-01T00:00:00Z' }])
    const starts = { first: '2026-01-01 00:00:00.000000', last: '2026-01-01 00:00:00.000000' }
    const rows = await readCallRows(fixture.store, projectId, ids(4), all, { starts })
    // Call 2 is alone in a part of the table, and call 3 beside a row without a start.
    expect(rows.map(({ id, output }) => ({ id, output }))).toEqual([
      { id: idOf(0), output: '"late"' },
      { id: idOf(3), output: '' },
    ])
  } finally {
    await fixture.store.command(sql`SYSTEM START MERGES calls`)
  }
})

test('large parts of a call are merged by the engine', async () => {
  const projectId = 'rows/large'
  const large = 'x'.repeat(5_000_000)
  await fixture.writer.write([part(projectId, 0), part(projectId, 1, { output: `${large}1` })])
  await fixture.writer.write([part(projectId, 1, { output: `${large}3` })])
  expect((await read(projectId, ids(2))).statements).toEqual(['common columns'])
  await fixture.writer.write([part(projectId, 1, { output: `${large}${large}` }), part(projectId, 1, { output: `${large}2` })])
  const { rows, statements } = await read(projectId, ids(2))
  expect(statements).toEqual(['common columns', 'common columns'])
  expect(rows.map(({ output = '' }) => [output.length, output.slice(-3)])).toEqual([
    [0, ''],
    [10_000_002, 'xx"'],
  ])
})

const commonFields = {
  thread_id: fc.constantFrom('one', 'two'),
  parent_id: fc.constantFrom('', 'b'.repeat(16)),
  is_span: fc.boolean(),
  op_name: fc.constantFrom('a', 'b\u{1f600}', 'b\uffff'),
  started_at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z'),
  ended_at: fc.constantFrom('2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', '2026-01-01T00:00:02.25Z'),
  exception: fc.constantFrom('', 'ValueError'),
  attributes: fc.constantFrom({}, { provider: 'openai' }),
  output: fc.constantFrom('', 'text', { x: 1 }),
  summary: fc.constantFrom({}, { usage: { m: { requests: 1 } } }),
}
const rareFields = {
  display_name: fc.constantFrom('', 'Name'),
  given_name: fc.record({ version: fc.integer({ min: 0, max: 3 }), name: fc.constantFrom('', 'Given') }),
  deleted_at: fc.constant('2026-01-03T00:00:00Z'),
}
const partsOf = (fields: fc.Arbitrary<Partial<CallRow>>) =>
  fc.array(fc.record({ index: fc.integer({ min: 0, max: 3 }), more: fields }), { minLength: 1, maxLength: 12 })
/** All but a few calls have common fields only. */
const someParts = fc.oneof(
  { weight: 3, arbitrary: partsOf(fc.record(commonFields, { requiredKeys: [] })) },
  { weight: 1, arbitrary: partsOf(fc.record({ ...commonFields, ...rareFields }, { requiredKeys: [] })) },
)

let runs = 0
testProperty('whatever parts a call has, it is read by its id as by a condition', someParts, { runs: 30 }, async (parts) => {
  runs += 1
  const projectId = `rows/property-${runs}`
  for (const { index, more } of parts) await fixture.insertUnderived({ project_id: projectId, id: idOf(index), ...more })
  for (const selection of [all, toSelection(undefined, true, false), toSelection(['inputs'], false, false)]) {
    const page = { ids: ids(4), condition: sql`started_at IS NOT NULL`, order: sql`ORDER BY id`, selection }
    const expected = await readMatchingRows(fixture.store, projectId, page, {})
    const { rows } = await read(projectId, ids(4), selection)
    expect(rows).toEqual(expected.map((row) => expect.objectContaining(row)))
  }
})
