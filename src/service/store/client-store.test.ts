import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { SessionPool } from './session-pool'
import { openSessionStream } from './session-stream'
import { StoreError } from './store-error'
import { openTemporaryStore } from './testing/temporary-store'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

const Value = z.object({ value: z.string() })
const Numbered = z.object({ value: z.number() })

/** Sends its first rows and then fails. */
const failsMidway = `SELECT toString(number) AS value FROM (SELECT number FROM numbers(20000) SETTINGS max_block_size = 1000)
  WHERE throwIf(number = 19500, 'on purpose') = 0`

test('two hundred queries that fail midway leave not one row in the answers that follow', async () => {
  let failed = 0
  for (let round = 0; round < 50; round += 1) {
    const attempts = Array.from({ length: 4 }, () => place.store.query(failsMidway, {}, Value))
    failed += (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected').length
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        place.store.query('SELECT {x:String} AS value', { x: `${round}-${index}` }, Value),
      ),
    )
    expect(answers).toEqual(Array.from({ length: 12 }, (_, index) => [{ value: `${round}-${index}` }]))
  }
  expect(failed).toBe(200)
})

test('a query that fails says so with ClickHouse’s number, before or after its first rows', async () => {
  await expect(place.store.query('SELECT nothing AS value', {}, Value)).rejects.toMatchObject({ kind: 'failed', code: 47 })
  await expect(place.store.query(failsMidway, {}, Value)).rejects.toMatchObject({ kind: 'failed', code: 395 })
  await expect(place.store.query('SELEC 1', {}, Value)).rejects.toMatchObject({ kind: 'failed', code: 62 })
  await expect(place.store.query('SELECT {x:UInt8} AS value', { x: 'no number' }, Value)).rejects.toBeInstanceOf(StoreError)
})

test('two queries run at the same time', async () => {
  const sleep = () =>
    place.store.query(
      'SELECT toUInt32(sum(slept)) AS value FROM (SELECT sleepEachRow(0.1) AS slept FROM numbers(3) SETTINGS max_block_size = 1)',
      {},
      Numbered,
    )
  const isOverlapping = async () => {
    const running = [sleep(), sleep()]
    const [count] = await place.store.query(
      `SELECT toUInt32(count()) AS value FROM system.processes WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%system.processes%'`,
      {},
      Numbered,
    )
    await Promise.all(running)
    return count?.value === 2
  }
  // Both are started before the question is asked, so one look is enough unless the machine stalls in between.
  expect((await isOverlapping()) || (await isOverlapping())).toBe(true)
})

test('an aborted query ends in the engine too', async () => {
  const controller = new AbortController()
  const endless = place.store.query('SELECT toString(sum(cityHash64(number))) AS value FROM numbers(1000000000000)', {}, Value, {
    signal: controller.signal,
  })
  setTimeout(() => controller.abort(), 50)
  await expect(endless).rejects.toMatchObject({ kind: 'aborted' })
  const left = `SELECT query AS value FROM system.processes WHERE query LIKE '%cityHash64%' AND query NOT LIKE '%system.processes%'`
  await expect.poll(() => place.store.query(left, {}, Value)).toEqual([])
})

test('a signal that is aborted beforehand runs nothing', async () => {
  await expect(place.store.query('SELECT 1 AS value', {}, Value, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: 'aborted',
  })
})

test('a long answer arrives in batches, and leaving it early frees its session', async () => {
  const sql = 'SELECT toString(number) AS value FROM numbers(100000000)'
  for (let round = 0; round < 20; round += 1) {
    for await (const batch of place.store.stream(sql, {}, Value)) {
      expect(batch[0]).toEqual({ value: '0' })
      expect(batch.length).toBeLessThan(1_000_000)
      break
    }
  }
  expect(await place.store.query('SELECT toUInt32(7) AS value', {}, Numbered)).toEqual([{ value: 7 }])
})

test('every double comes back as it went in, from an insert and from a parameter', async () => {
  await place.store.command('CREATE TABLE doubles (id UInt32, value Float64) ENGINE = MergeTree ORDER BY id')
  const view = new DataView(new ArrayBuffer(8))
  let state = 42
  const bits = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  const doubles = [0.1, 1e-7, 3e-8, 1.5e-7, 2 ** 53 + 2, Number.MAX_VALUE, Number.MIN_VALUE, 0]
  while (doubles.length < 4000) {
    view.setUint32(0, bits())
    view.setUint32(4, bits())
    const value = view.getFloat64(0)
    if (Number.isFinite(value)) doubles.push(value, (bits() / 2 ** 32) * 1e-5)
  }
  await place.store.insert(
    'doubles',
    doubles.map((value, id) => ({ id, value })),
  )
  const stored = await place.store.query('SELECT value FROM doubles ORDER BY id', {}, Numbered)
  expect(stored.map(({ value }) => value)).toEqual(doubles)
  for (const value of doubles.slice(0, 100)) {
    expect(await place.store.query('SELECT {x:Float64} AS value', { x: value }, Numbered)).toEqual([{ value }])
  }
})

test('microseconds come back as they went in, from 1900 to 2298', async () => {
  await place.store.command("CREATE TABLE instants (value DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY value")
  const instants = [
    '1900-01-01 00:00:00.000001',
    '1969-12-31 23:59:59.999999',
    '2026-01-31 09:30:00.123456',
    '2298-12-31 23:59:59.999999',
  ]
  await place.store.insert(
    'instants',
    instants.map((value) => ({ value })),
  )
  expect(
    await place.store.query('SELECT toString(value) AS text FROM instants ORDER BY value', {}, z.object({ text: z.string() })),
  ).toEqual(instants.map((text) => ({ text })))
  for (const value of instants) {
    const found = await place.store.query(
      "SELECT toString(value) AS text FROM instants WHERE value = {x:DateTime64(6, 'UTC')}",
      { x: value },
      z.object({ text: z.string() }),
    )
    expect(found).toEqual([{ text: value }])
  }
})

const hostile = [
  '',
  "'; DROP TABLE calls; --",
  '"double" `back` \\ backslash \\\\ \\n not a newline',
  '\0 nul \0',
  'tab\tnewline\nreturn\r\b\f',
  '\\N',
  '{x:String} {y:Identifier} %s $1 ?',
  '😀 𝒳 ü 東京 \u202e right to left',
  '\ufeff\uffff\u2028',
  'FORMAT JSONEachRow SETTINGS max_threads = 0',
]

test('text of any kind comes back as it went in, as a parameter, in a list and in a row', async () => {
  await place.store.command('CREATE TABLE texts (id UInt32, value String) ENGINE = MergeTree ORDER BY id')
  await place.store.insert(
    'texts',
    hostile.map((value, id) => ({ id, value })),
  )
  const stored = await place.store.query('SELECT value FROM texts ORDER BY id', {}, Value)
  expect(stored.map(({ value }) => value)).toEqual(hostile)
  for (const value of hostile) {
    expect(await place.store.query('SELECT {x:String} AS value', { x: value }, Value)).toEqual([{ value }])
    expect(await place.store.query('SELECT value FROM texts WHERE value = {x:String}', { x: value }, Value)).toEqual([{ value }])
  }
  const listed = await place.store.query(
    'SELECT value FROM texts WHERE value IN {x:Array(String)} ORDER BY id',
    { x: hostile },
    Value,
  )
  expect(listed.map(({ value }) => value)).toEqual(hostile)
  expect(
    await place.store.query('SELECT {x:Array(String)} AS value', { x: hostile }, z.object({ value: z.array(z.string()) })),
  ).toEqual([{ value: hostile }])
})

test('a lone surrogate as a parameter becomes U+FFFD, as it does in every UTF-8 encoder', async () => {
  expect(await place.store.query('SELECT {x:String} AS value', { x: 'a\ud800b' }, Value)).toEqual([{ value: 'a\ufffdb' }])
})

test('a parameter may be null, a list of sixty thousand, or a whole double beyond 2^53', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `id-${index}`)
  expect(await place.store.query('SELECT toUInt32(length({x:Array(String)})) AS value', { x: many }, Numbered)).toEqual([
    { value: 60_000 },
  ])
  expect(
    await place.store.query('SELECT {x:Nullable(String)} AS value', { x: null }, z.object({ value: z.nullable(z.string()) })),
  ).toEqual([{ value: null }])
  expect(await place.store.query('SELECT {x:UInt64} AS value', { x: 2 ** 53 }, Value)).toEqual([{ value: String(2n ** 53n) }])
  expect(await place.store.query('SELECT {x:Float64} AS value', { x: 2 ** 60 }, Numbered)).toEqual([{ value: 2 ** 60 }])
})

test('an insert of a row that cannot be read is refused as a whole and says so', async () => {
  await expect(
    place.store.insert('doubles', [
      { id: 1_000_000, value: 1 },
      { id: 'x', value: 'y' },
    ]),
  ).rejects.toMatchObject({ kind: 'bad_row' })
  expect(await place.store.query('SELECT value FROM doubles WHERE id = 1000000', {}, Numbered)).toEqual([])
})

test('a session whose reader has stopped reading does not keep a pool from closing', async () => {
  const { Session } = await import('chdb')
  const pool = new SessionPool({ working: 1, most: 1 }, () => new Session(join(place.folder, 'store')), 50)
  const stream = await openSessionStream(pool, 'SELECT toString(number) AS value FROM numbers(100000000)', {}, undefined)
  const waiting = expect(pool.acquire()).rejects.toMatchObject({ kind: 'unavailable' })
  await pool.close()
  await waiting
  stream.destroy()
  expect(await place.store.query("SELECT 'own' AS value", {}, Value)).toEqual([{ value: 'own' }])
})

test('readers that have stopped reading keep nobody waiting, and the longest gives way when there are too many', async () => {
  const { Session } = await import('chdb')
  const pool = new SessionPool({ working: 2, most: 4 }, () => new Session(join(place.folder, 'store')))
  const long = 'SELECT toString(number) AS value FROM numbers(100000000)'
  const errors: unknown[] = []
  const stalled = []
  for (let count = 0; count < 6; count += 1) {
    // Two work at once, so the third waits until the first two have rested for a moment.
    const stream = await openSessionStream(pool, long, {}, undefined)
    stream.on('error', (error) => errors.push(error)).read(1)
    stalled.push(stream)
  }
  const started = performance.now()
  pool.release(await pool.acquire(), 'clean')
  expect(performance.now() - started).toBeLessThan(2000)
  expect(errors.length).toBeGreaterThanOrEqual(2)
  expect(stalled.map(({ destroyed }) => destroyed)).toMatchObject([true, true, ...Array<unknown>(4).fill(expect.anything())])
  expect(stalled.at(-1)?.destroyed).toBe(false)
  for (const stream of stalled) stream.destroy()
  await pool.close()
})

test('a hundred readers that are given up at once leave the way free', async () => {
  const lists = Array.from({ length: 100 }, async () => {
    const leaving = new AbortController()
    const rows = place.store.stream('SELECT toString(number) AS value FROM numbers(100000000)', {}, Value, {
      signal: leaving.signal,
    })
    setTimeout(() => leaving.abort(), Math.random() * 200)
    for await (const _ of rows) await new Promise((resolve) => setTimeout(resolve, 5))
  })
  const ended = await Promise.allSettled(lists)
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  const started = performance.now()
  expect(await place.store.query("SELECT 'own' AS value", {}, Value)).toEqual([{ value: 'own' }])
  expect(performance.now() - started).toBeLessThan(1000)
})
