// The client of a ClickHouse server, against a test double of one (testing/http-double.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { migrations } from './migrations'
import { float64, sql } from './sql'
import { openServer } from './open-server'
import { openStore } from './open-store'
import type { Store } from './store'
import { openHttpDouble } from './testing/http-double'
import { rebuildDerived } from '../derive/rebuild-derived'

const folder = mkdtempSync(join(tmpdir(), 'spool-double-'))
const user = { username: 'spool', password: 'p@ss/wörd:#?' }
const Value = z.object({ value: z.string() })

let double: Awaited<ReturnType<typeof openHttpDouble>>
let store: Store

beforeAll(async () => {
  double = await openHttpDouble(folder, user)
  store = await openStore({ url: double.url }, rebuildDerived)
})

afterAll(async () => {
  await store.close()
  await double.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a server is shared, has the same tables, and is not migrated twice', async () => {
  expect(store.isShared).toBe(true)
  const second = await openStore({ url: double.url }, rebuildDerived)
  await second.close()
  const [count] = await store.query(sql`SELECT toUInt32(count()) AS value FROM migrations`, z.object({ value: z.number() }))
  expect(count?.value).toBe(migrations.length)
})

test('rows, parameters, doubles and microseconds are read back unchanged', async () => {
  const text = "it's \\ \n \t \0 😀"
  await store.insert('costs', [
    {
      project_id: 'a/b',
      id: text,
      llm_id: 'm',
      prompt_token_cost: 1.5e-7,
      completion_token_cost: null,
      effective_date: '2026-01-31 09:30:00.123456',
      version: '18446744073709551615',
    },
  ])
  const rows = await store.query(
    sql`SELECT id, prompt_token_cost, completion_token_cost, effective_date, version FROM costs FINAL
     WHERE id = ${text} AND id IN ${['other', text]} AND prompt_token_cost = ${float64(1.5e-7)}`,
    z.object({
      id: z.string(),
      prompt_token_cost: z.number(),
      completion_token_cost: z.nullable(z.number()),
      effective_date: z.string(),
      version: z.string(),
    }),
  )
  expect(rows).toEqual([
    {
      id: text,
      prompt_token_cost: 1.5e-7,
      completion_token_cost: null,
      effective_date: '2026-01-31 09:30:00.123456',
      version: '18446744073709551615',
    },
  ])
})

test('the server does not collect inserts: each is written before its response', async () => {
  await store.insert('markers', [{ name: 'a', value: 'b', version: 1 }])
  const insert = double.seen.findLast(({ statement }) => statement.includes('INSERT INTO markers'))
  expect(insert?.settings.get('async_insert')).toBe('0')
})

test('a query that fails at once or midway rejects, and the next one gets its own rows', async () => {
  await expect(store.query(sql`SELECT nothing AS value`, Value)).rejects.toMatchObject({ kind: 'failed', code: 47 })
  const failsMidway = sql`SELECT toString(number) AS value FROM (SELECT number FROM numbers(200000) SETTINGS max_block_size = 1000)
    WHERE throwIf(number = 199000) = 0`
  await expect(store.query(failsMidway, Value)).rejects.toMatchObject({ name: 'StoreError' })
  expect(await store.query(sql`SELECT 'own' AS value`, Value)).toEqual([{ value: 'own' }])
})

test('an aborted query ends in the server too', async () => {
  const controller = new AbortController()
  const endless = sql`SELECT toString(sum(cityHash64(number))) AS value FROM numbers(1000000000000)`
  const query = store.query(endless, Value, { signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await expect(query).rejects.toMatchObject({ kind: 'aborted' })
  const running = sql`SELECT query AS value FROM system.processes
  WHERE query LIKE '%cityHash64%' AND query NOT LIKE '%system.processes%'`
  await expect.poll(() => store.query(running, Value)).toEqual([])
})

test('a stream arrives in batches and may be left early', async () => {
  for await (const batch of store.stream(sql`SELECT toString(number) AS value FROM numbers(3000000)`, Value)) {
    expect(batch.length).toBeLessThan(1_000_000)
    break
  }
  expect(await store.query(sql`SELECT 'own' AS value`, Value)).toEqual([{ value: 'own' }])
})

test('the error for a wrong password does not contain it', async () => {
  const failure = await openStore({ url: double.url.replace('p%40ss', 'wrong') }, rebuildDerived).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'StoreError', kind: 'unavailable' })
  expect((failure as Error).message).toContain('answers with an error')
  expect((failure as Error).message).not.toMatch(/wrong|w%C3%B6rd/)
})

test("an address with a '%' that escapes nothing is refused in one line that does not repeat it", async () => {
  const opening = openStore({ url: 'http://spool:100%secret@127.0.0.1:1/db' }, rebuildDerived)
  await expect(opening).rejects.toThrow("has a '%' that escapes nothing. In a user name or password write it as %25.")
  await expect(opening).rejects.not.toThrow('secret')
})

/** Opens a server that says it has this version, and fails all else. */
async function openVersion(version: string) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (`${request.url}${Buffer.concat(chunks).toString()}`.includes('version()')) response.end(`${version}\n`)
      else response.writeHead(500).end('Code: 115. DB::Exception: Unknown setting. (UNKNOWN_SETTING)')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a server on a port has an address object
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://spool:secret@127.0.0.1:${port}/db`, base: `http://127.0.0.1:${port}`, close }
}

test.each(['18.16.1', '25.8.2.1.altinitystable', '26.2.19.43'])('a server of version %s is too old', async (version) => {
  const { url, base, close } = await openVersion(version)
  const message = `The ClickHouse server at ${base} has version ${version}, but Spool needs 26.3 or later.`
  await expect(openStore({ url }, rebuildDerived)).rejects.toMatchObject({ name: 'StoreError', message })
  close()
})

test.each(['26.3.1.1', '26.10.1', '27.1.1', 'unknown'])('a server of version %s is given a try', async (version) => {
  const { url, close } = await openVersion(version)
  const { readers, writers, control } = await openServer(url)
  await Promise.all([readers, writers, control].map((each) => each.close()))
  close()
})
