import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { shareBlocksOfCalls } from './call-tables'
import { type DerivedTable, migrate, type Migration } from './migrate'
import { migrations } from './migrations'
import { sql, uint64 } from './sql'
import { openTemporaryStore } from './testing/temporary-store'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
/** What was rebuilt, one entry for each call. */
let rebuilt: (readonly DerivedTable[])[] = []

beforeAll(async () => {
  place = await openTemporaryStore()
})
beforeEach(() => {
  rebuilt = []
})
afterAll(() => place.remove())

async function migrateWith(...more: Migration[]): Promise<void> {
  await migrate(place.store, [...migrations, ...more], async (_, tables) => {
    rebuilt.push([...tables])
  })
}

async function readSteps(): Promise<number[]> {
  const rows = await place.store.query(sql`SELECT number FROM steps ORDER BY number`, z.object({ number: z.number() }))
  return rows.map(({ number }) => number)
}

const create: Migration = {
  number: 901,
  name: 'steps',
  statements: [sql`CREATE TABLE IF NOT EXISTS steps (number UInt32) ENGINE = MergeTree ORDER BY number`],
}
const insert = (number: number, rebuilds?: readonly DerivedTable[]): Migration => ({
  number,
  name: `step ${number}`,
  statements: [sql`INSERT INTO steps SELECT ${uint64(number)}`],
  ...(rebuilds && { rebuilds }),
})

test('every table of the service syncs its parts, and keeps those that a merge replaced for a minute', async () => {
  await migrateWith()
  const Row = z.object({ name: z.string(), engine_full: z.string() })
  const rows = await place.store.query(
    sql`SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
    Row,
  )
  const tables = rows.filter(({ name }) => name !== 'migrations' && name !== 'steps')
  expect(tables.length).toBeGreaterThan(25)
  for (const { name, engine_full: engine } of tables) {
    const settings = ['fsync_after_insert = 1', 'min_rows_to_fsync_after_merge = 1', 'old_parts_lifetime = 60']
    expect({ name, missing: settings.filter((setting) => !engine.includes(setting)) }).toEqual({ name, missing: [] })
  }
})

test('columns of calls share blocks by their codec, and no merge counts their values', async () => {
  await migrateWith()
  // As a start that was interrupted runs them once more.
  for (const statement of shareBlocksOfCalls) await place.store.command(statement)
  const Codec = z.object({ name: z.string(), compression_codec: z.string() })
  const codecs = await place.store.query(
    sql`SELECT name, compression_codec FROM system.columns WHERE database = currentDatabase() AND table = 'calls'
AND name IN ('id', 'trace_id', 'attributes', 'inputs', 'output', 'summary')`,
    Codec,
  )
  expect(codecs.map(({ name, compression_codec: codec }) => [name, codec])).toEqual([
    ['id', 'CODEC(LZ4HC(1))'],
    ['trace_id', ''],
    ['attributes', 'CODEC(ZSTD(2))'],
    ['inputs', 'CODEC(ZSTD(1))'],
    ['output', 'CODEC(ZSTD(1))'],
    ['summary', 'CODEC(ZSTD(2))'],
  ])
  const [table] = await place.store.query(
    sql`SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'calls'`,
    z.object({ engine_full: z.string() }),
  )
  expect(table?.engine_full).toContain('compress_per_column_in_compact_parts = 0')
  const kept = await place.store.query(
    sql`SELECT value FROM system.merge_tree_settings WHERE name = 'auto_statistics_types'`,
    z.object({ value: z.string() }),
  )
  expect(kept).toEqual([{ value: 'basic' }])
})

test('each migration runs once, in the order of the numbers, and one that was added late is not left out', async () => {
  await migrateWith(insert(904), insert(902), create)
  expect(await readSteps()).toEqual([902, 904])
  await migrateWith(create, insert(902), insert(903), insert(904))
  expect(await readSteps()).toEqual([902, 903, 904])
})

test('a migration whose setting the engine does not know waits for an engine that knows it', async () => {
  await migrateWith(create, insert(902), insert(903), insert(904), { ...insert(905), needsSetting: 'setting_of_the_future' })
  expect(await readSteps()).toEqual([902, 903, 904])
  await migrateWith(create, insert(902), insert(903), insert(904), { ...insert(905), needsSetting: 'index_granularity' })
  expect(await readSteps()).toEqual([902, 903, 904, 905])
})

test('derived tables are rebuilt once, after the statements of all migrations', async () => {
  const all = [create, insert(902), insert(903), insert(904), insert(910, ['turns', 'threads']), insert(911, ['threads'])]
  await migrateWith(...all)
  await migrateWith(...all)
  expect(rebuilt).toEqual([['turns', 'threads']])
})

test('a migration whose rebuild fails runs again', async () => {
  const all = [create, ...[902, 903, 904, 910, 911].map((number) => insert(number)), insert(920, ['call_starts'])]
  const fail = () => Promise.reject(new Error('the process ended'))
  await expect(migrate(place.store, [...migrations, ...all], fail)).rejects.toThrow('the process ended')
  await migrateWith(...all)
  expect(rebuilt).toEqual([['call_starts']])
})

test('a store that has had another migration of the same number is rejected, before anything is changed', async () => {
  const all = [create, ...[902, 903, 904, 910, 911, 920].map((number) => insert(number)), insert(930)]
  const before = await readSteps()
  const renamed = [...all.filter(({ number }) => number !== 903), { ...insert(903), name: 'colours' }]
  await expect(migrateWith(...renamed)).rejects.toThrow(
    "The store was written by a different build of Spool (step 903 of its tables is 'step 903', here it is 'colours'). " +
      'Start that build, or use another data folder or database.',
  )
  expect(await readSteps()).toEqual(before)
})
