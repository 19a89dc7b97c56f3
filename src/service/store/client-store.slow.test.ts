import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createChdbSession } from './chdb-session'
import { SessionPool } from './session-pool'
import { openSessionStream } from './session-stream'
import { dateTime, float64, renderSql, sql, uint64 } from './sql'
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
const failsMidway = sql`SELECT toString(number) AS value FROM (SELECT number FROM numbers(20000) SETTINGS max_block_size = 1000)
  WHERE throwIf(number = 19500, 'on purpose') = 0`
const hundredMillionRows = sql`SELECT toString(number) AS value FROM numbers(100000000)`

test('a statement binds its values, and each row is parsed', async () => {
  const ids = ['7', '9']
  const statement = sql`SELECT toString(number) AS value FROM numbers(100) WHERE toString(number) IN ${ids}`
  expect(await place.store.query(statement, Value)).toEqual([{ value: '7' }, { value: '9' }])
})

test('after two hundred queries that fail midway, no result contains their rows', async () => {
  let failed = 0
  for (let round = 0; round < 50; round += 1) {
    const attempts = Array.from({ length: 4 }, () => place.store.query(failsMidway, Value))
    failed += (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected').length
    const texts = Array.from({ length: 12 }, (_, index) => `${round}-${index}`)
    const results = await Promise.all(texts.map((text) => place.store.query(sql`SELECT ${text} AS value`, Value)))
    expect(results).toEqual(texts.map((value) => [{ value }]))
  }
  expect(failed).toBe(200)
})

test('a query has the same rows as a stream, whatever its values hold, and those of a failed one are not among them', async () => {
  const short = ['', "it's", '\\', "\\'", '\\N', '\t\n\r\b\f\0', 'é😀', "'], 'x'", '{p1:String}', "'; SELECT 'x", '-- x', '/* x']
  // With the longest values the text of the statement is longer than the engine takes.
  for (const text of [...short, 'x'.repeat(249_000), "'".repeat(124_900), 'x'.repeat(300_000)]) {
    const statement = sql`SELECT ${text} AS value`
    expect(await place.store.query(statement, Value)).toEqual([{ value: text }])
    const streamed = []
    for await (const rows of place.store.stream(statement, Value)) streamed.push(...rows)
    expect(streamed).toEqual([{ value: text }])
    await expect(place.store.query(failsMidway, Value)).rejects.toMatchObject({ code: 395 })
  }
  const all = sql`SELECT arrayJoin(${short}) AS value`
  expect(await place.store.query(all, Value)).toEqual(short.map((value) => ({ value })))
  const many = Array.from({ length: 5000 }, (_, index) => `${index}-${'é'.repeat(30)}`)
  const both = sql`SELECT arrayJoin(arrayConcat(${many}, ${many.toReversed()})) AS value`
  expect(await place.store.query(both, Value)).toEqual([...many, ...many.toReversed()].map((value) => ({ value })))
})

test('a stream with a slow start whose result is too large for memory is streamed all the same', async () => {
  // The engine counts a column with one value as one row.
  const rows = sql`SELECT repeat(toString(number % 10), 1000) AS value FROM numbers(100000)`
  let count = 0
  for await (const batch of place.store.stream(rows, Value, { hasSlowStart: true })) {
    count += batch.length
    if (count > 80_000) break
  }
  expect(count).toBeGreaterThan(80_000)
  const limited = place.store.query(rows, Value, { maxResultBytes: 1_000_000 })
  await expect(limited).rejects.toMatchObject({ code: 396 })
})

test('a stream with a slow start comes in small batches too, although its result is in memory', async () => {
  const rows = sql`SELECT toString(number) AS value FROM numbers(300000)`
  const values: string[] = []
  for await (const batch of place.store.stream(rows, Value, { hasSlowStart: true })) {
    expect(batch.length).toBeLessThan(10_000)
    for (const { value } of batch) values.push(value)
  }
  expect(values).toEqual(Array.from({ length: 300_000 }, (_, index) => String(index)))
})

test('a query that fails rejects with ClickHouse’s error number, before or after its first rows', async () => {
  await expect(place.store.query(sql`SELECT nothing AS value`, Value)).rejects.toMatchObject({ kind: 'failed', code: 47 })
  await expect(place.store.query(failsMidway, Value)).rejects.toMatchObject({ kind: 'failed', code: 395 })
  await expect(place.store.query(sql`SELEC 1`, Value)).rejects.toMatchObject({ kind: 'failed', code: 62 })
  await expect(place.store.query(sql`SELECT ${dateTime('no time')} AS value`, Value)).rejects.toBeInstanceOf(StoreError)
})

test('two queries run at the same time', async () => {
  const sleep = sql`SELECT toUInt32(sum(slept)) AS value
  FROM (SELECT sleepEachRow(0.1) AS slept FROM numbers(3) SETTINGS max_block_size = 1)`
  const countRunning = sql`SELECT toUInt32(count()) AS value FROM system.processes
  WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%system.processes%'`
  const runsBoth = async () => {
    const running = [place.store.query(sleep, Numbered), place.store.query(sleep, Numbered)]
    const [count] = await place.store.query(countRunning, Numbered)
    await Promise.all(running)
    return count?.value === 2
  }
  // Both start before the count, so one attempt is enough unless the machine stalls in between.
  expect((await runsBoth()) || (await runsBoth())).toBe(true)
})

test('an aborted query ends in the engine too', async () => {
  const controller = new AbortController()
  const endless = sql`SELECT toString(sum(cityHash64(number))) AS value FROM numbers(1000000000000)`
  const query = place.store.query(endless, Value, { signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await expect(query).rejects.toMatchObject({ kind: 'aborted' })
  const running = sql`SELECT query AS value FROM system.processes
  WHERE query LIKE '%cityHash64%' AND query NOT LIKE '%system.processes%'`
  await expect.poll(() => place.store.query(running, Value)).toEqual([])
})

test('an aborted query has all of its rows or fails, whenever the engine stops it', async () => {
  await place.store.command(sql`CREATE TABLE many (value String) ENGINE = MergeTree ORDER BY value`)
  await place.store.command(sql`INSERT INTO many SELECT toString(number) FROM numbers(1000000)`)
  const sorted = sql`SELECT value FROM many ORDER BY cityHash64(value) LIMIT 20000`
  let failed = 0
  const abortAfter = async (ms: number) => {
    const controller = new AbortController()
    const query = place.store.query(sorted, Value, { signal: controller.signal })
    setTimeout(() => controller.abort(), ms)
    const [ended] = await Promise.allSettled([query])
    if (ended.status === 'fulfilled') expect(ended.value).toHaveLength(20_000)
    else failed += 1
  }
  for (let round = 0; round < 100; round += 1) await Promise.all(Array.from({ length: 8 }, (_, index) => abortAfter(20 * index)))
  expect(failed).toBeGreaterThan(0)
})

test('with a signal that is aborted already, nothing runs', async () => {
  const query = place.store.query(sql`SELECT 1 AS value`, Value, { signal: AbortSignal.abort() })
  await expect(query).rejects.toMatchObject({ kind: 'aborted' })
})

test('a stream arrives in batches, and leaving it early releases its session', async () => {
  for (let round = 0; round < 20; round += 1) {
    for await (const batch of place.store.stream(hundredMillionRows, Value)) {
      expect(batch[0]).toEqual({ value: '0' })
      expect(batch.length).toBeLessThan(1_000_000)
      break
    }
  }
  expect(await place.store.query(sql`SELECT toUInt32(7) AS value`, Numbered)).toEqual([{ value: 7 }])
})

test('every double is read back unchanged, from an insert and from a parameter', async () => {
  await place.store.command(sql`CREATE TABLE doubles (id UInt32, value Float64) ENGINE = MergeTree ORDER BY id`)
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
  const stored = await place.store.query(sql`SELECT value FROM doubles ORDER BY id`, Numbered)
  expect(stored.map(({ value }) => value)).toEqual(doubles)
  for (const value of doubles.slice(0, 100)) {
    expect(await place.store.query(sql`SELECT ${float64(value)} AS value`, Numbered)).toEqual([{ value }])
  }
})

test('microseconds are read back unchanged, from 1900 to 2298', async () => {
  await place.store.command(sql`CREATE TABLE instants (value DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY value`)
  const instants = [
    '1900-01-01 00:00:00.000001',
    '1969-12-31 23:59:59.999999',
    '2026-01-31 09:30:00.123456',
    '2298-12-31 23:59:59.999999',
  ]
  const rows = instants.map((value) => ({ value }))
  await place.store.insert('instants', rows)
  expect(await place.store.query(sql`SELECT value FROM instants ORDER BY value`, Value)).toEqual(rows)
  for (const value of instants) {
    const found = await place.store.query(sql`SELECT value FROM instants WHERE value = ${dateTime(value)}`, Value)
    expect(found).toEqual([{ value }])
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

test('any text is read back unchanged, as a parameter, in a list and in a row', async () => {
  await place.store.command(sql`CREATE TABLE texts (id UInt32, value String) ENGINE = MergeTree ORDER BY id`)
  await place.store.insert(
    'texts',
    hostile.map((value, id) => ({ id, value })),
  )
  const stored = await place.store.query(sql`SELECT value FROM texts ORDER BY id`, Value)
  expect(stored.map(({ value }) => value)).toEqual(hostile)
  for (const value of hostile) {
    expect(await place.store.query(sql`SELECT ${value} AS value`, Value)).toEqual([{ value }])
    expect(await place.store.query(sql`SELECT value FROM texts WHERE value = ${value}`, Value)).toEqual([{ value }])
  }
  const listed = await place.store.query(sql`SELECT value FROM texts WHERE value IN ${hostile} ORDER BY id`, Value)
  expect(listed.map(({ value }) => value)).toEqual(hostile)
  const List = z.object({ value: z.array(z.string()) })
  expect(await place.store.query(sql`SELECT ${hostile} AS value`, List)).toEqual([{ value: hostile }])
})

test('a lone surrogate in a parameter becomes U+FFFD, as in every UTF-8 encoder', async () => {
  expect(await place.store.query(sql`SELECT ${'a\ud800b'} AS value`, Value)).toEqual([{ value: 'a\ufffdb' }])
})

test('a parameter may be a list of sixty thousand, or a whole double above 2^53', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `id-${index}`)
  expect(await place.store.query(sql`SELECT toUInt32(length(${many})) AS value`, Numbered)).toEqual([{ value: 60_000 }])
  expect(await place.store.query(sql`SELECT ${uint64(2 ** 53)} AS value`, Value)).toEqual([{ value: String(2n ** 53n) }])
  expect(await place.store.query(sql`SELECT ${float64(2 ** 60)} AS value`, Numbered)).toEqual([{ value: 2 ** 60 }])
})

test('an insert with a row that cannot be parsed fails as a whole', async () => {
  await expect(
    place.store.insert('doubles', [
      { id: 1_000_000, value: 1 },
      { id: 'x', value: 'y' },
    ]),
  ).rejects.toMatchObject({ kind: 'bad_row' })
  expect(await place.store.query(sql`SELECT value FROM doubles WHERE id = 1000000`, Numbered)).toEqual([])
})

test('a pool closes although a reader has stalled', async () => {
  const { Session } = await import('chdb')
  const pool = new SessionPool(1, async () => createChdbSession(new Session(join(place.folder, 'store'))), {
    closeGraceMs: 50,
    idleMs: 1000,
  })
  const stream = await openSessionStream(pool, renderSql(hundredMillionRows).text, {}, undefined)
  const waiting = expect(pool.acquire()).rejects.toMatchObject({ kind: 'closed' })
  await pool.close()
  await waiting
  stream.destroy()
  expect(await place.store.query(sql`SELECT 'own' AS value`, Value)).toEqual([{ value: 'own' }])
})

test('stalled readers block nobody, and when there are too many, those that stalled longest are cancelled', async () => {
  const stalled: AsyncIterator<unknown>[] = []
  for (let count = 0; count < 40; count += 1) {
    const reader = place.store.stream(hundredMillionRows, Value)[Symbol.asyncIterator]()
    await reader.next()
    stalled.push(reader)
  }
  const started = performance.now()
  expect(await place.store.query(sql`SELECT 'own' AS value`, Value)).toEqual([{ value: 'own' }])
  expect(performance.now() - started).toBeLessThan(2000)
  await expect(stalled[0]?.next()).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await stalled.at(-1)?.next()).toMatchObject({ done: false })
  for (const reader of stalled) await reader.return?.()
})

test('while one user fills the store with scans, another user is served at once', async () => {
  const scan = sql`SELECT toString(sum(cityHash64(number))) AS value FROM numbers(1000000000000)`
  const controller = new AbortController()
  const options = { share: { user: 'ann', projectId: 'p' }, signal: controller.signal, lane: 'scan' } as const
  const scans = Array.from({ length: 16 }, () => place.store.query(scan, Value, options))
  const ended = Promise.allSettled(scans)
  try {
    for (const lane of ['read', 'scan'] as const) {
      const ofBob = { share: { user: 'bob', projectId: 'p' }, lane }
      expect(await place.store.query(sql`SELECT 'own' AS value`, Value, ofBob)).toEqual([{ value: 'own' }])
    }
  } finally {
    controller.abort()
    await ended
  }
})

test('after a hundred streams are aborted, a query runs at once', async () => {
  const lists = Array.from({ length: 100 }, async () => {
    const controller = new AbortController()
    const rows = place.store.stream(hundredMillionRows, Value, { signal: controller.signal })
    setTimeout(() => controller.abort(), Math.random() * 200)
    for await (const _ of rows) await new Promise((resolve) => setTimeout(resolve, 5))
  })
  const ended = await Promise.allSettled(lists)
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  const started = performance.now()
  expect(await place.store.query(sql`SELECT 'own' AS value`, Value)).toEqual([{ value: 'own' }])
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a command fails after its time limit', async () => {
  const slow = sql`INSERT INTO markers (name, value, version) SELECT toString(sleepEachRow(0.1)), '', 1 FROM numbers(100)
    WHERE sleepEachRow(0.1) = 0`
  await expect(place.store.command(slow, { maxSeconds: 1 })).rejects.toMatchObject({ kind: 'timed_out' })
})
