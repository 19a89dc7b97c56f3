import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql } from './sql'
import type { Store } from './store'
import { TableCache } from './table-cache'
import { openTemporaryStore } from './testing/temporary-store'

const NumberRow = z.object({ n: z.number() })
let fixture: Awaited<ReturnType<typeof openTemporaryStore>>
let readCount = 0

beforeEach(async () => {
  readCount = 0
  fixture = await openTemporaryStore()
  await fixture.store.command(sql`CREATE TABLE numbers_a (n UInt32) ENGINE = MergeTree ORDER BY n`)
  await fixture.store.command(sql`CREATE TABLE numbers_b (n UInt32) ENGINE = MergeTree ORDER BY n`)
})
afterEach(() => fixture.remove())

/** How many rows there are, by the cache. `meanwhile` runs while the table is read. */
async function readTotal(cache: TableCache<number>, store: Store, meanwhile: () => Promise<void> = async () => undefined) {
  const values = await cache.read(['total'], async () => {
    readCount += 1
    const [row] = await store.query(sql`SELECT toUInt32(count()) AS n FROM numbers_a`, NumberRow)
    await meanwhile()
    return new Map([['total', row?.n ?? 0]])
  })
  return values.get('total')
}

test('what was read is read once, until the table is written to', async () => {
  const { store } = fixture
  const cache = new TableCache<number>(store, 'numbers_a')
  expect([await readTotal(cache, store), await readTotal(cache, store)]).toEqual([0, 0])
  expect(readCount).toBe(1)
  await store.insert('numbers_b', [{ n: 1 }])
  await readTotal(cache, store)
  expect(readCount).toBe(1)
  await store.insert('numbers_a', [{ n: 1 }])
  expect(await readTotal(cache, store)).toBe(1)
  await store.command(sql`INSERT INTO numbers_a SELECT n + 1 FROM numbers_a`)
  expect(await readTotal(cache, store)).toBe(2)
  await store.command(sql`TRUNCATE TABLE numbers_a`)
  expect(await readTotal(cache, store)).toBe(0)
})

test('what was read while a row was being written is not remembered', async () => {
  const { store } = fixture
  const cache = new TableCache<number>(store, 'numbers_a')
  await readTotal(cache, store, () => store.insert('numbers_a', [{ n: 1 }]))
  expect(await readTotal(cache, store)).toBe(1)
  const writing = store.insert('numbers_a', [{ n: 2 }])
  await readTotal(cache, store)
  await writing
  expect(await readTotal(cache, store)).toBe(2)
})

test('a write that fails counts as a write', async () => {
  const { store } = fixture
  const cache = new TableCache<number>(store, 'numbers_a')
  await readTotal(cache, store)
  await expect(store.insert('numbers_a', [{ unknown: 1 }])).rejects.toThrow()
  await readTotal(cache, store)
  expect(readCount).toBe(2)
})

test('over a server, which others write to, everything is read each time', async () => {
  const { store } = fixture
  const cache = new TableCache<number>({ ...store, revisionOf: () => undefined }, 'numbers_a')
  await readTotal(cache, store)
  await readTotal(cache, store)
  expect(readCount).toBe(2)
})

test('keys that are remembered are not read again with others', async () => {
  const { store } = fixture
  const cache = new TableCache<string>(store, 'numbers_a')
  const asked: string[][] = []
  const load = async (keys: readonly string[]) => {
    asked.push([...keys])
    return new Map(keys.map((key) => [key, `value of ${key}`]))
  }
  await cache.read(['a', 'b'], load)
  expect([...(await cache.read(['b', 'c'], load)).values()]).toEqual(['value of b', 'value of c'])
  expect(asked).toEqual([['a', 'b'], ['c']])
})

test('a limit counts what is remembered; a value above it is read each time', async () => {
  const { store } = fixture
  const cache = new TableCache<string>(store, 'numbers_a', { maxSize: 10, toSize: (value) => value.length })
  const asked: string[][] = []
  const load = async (keys: readonly string[]) => {
    asked.push([...keys])
    return new Map(keys.map((key) => [key, key]))
  }
  for (const key of ['four', 'five', 'six', 'four', 'longer than the limit', 'longer than the limit']) {
    expect([...(await cache.read([key], load)).values()]).toEqual([key])
  }
  expect(asked.flat()).toEqual(['four', 'five', 'six', 'four', 'longer than the limit', 'longer than the limit'])
})
