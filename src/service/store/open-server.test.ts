// The client of a ClickHouse server, against a test double of one (testing/http-double.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { migrations } from './migrations'
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
  const [count] = await store.query('SELECT toUInt32(count()) AS value FROM migrations', {}, z.object({ value: z.number() }))
  expect(count?.value).toBe(migrations.length)
})

test('rows, parameters, doubles and microseconds come back as they went in', async () => {
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
    `SELECT id, prompt_token_cost, completion_token_cost, effective_date, version FROM costs FINAL
     WHERE id = {id:String} AND id IN {ids:Array(String)} AND prompt_token_cost = {cost:Float64}
       AND ({none:Nullable(String)} IS NULL)`,
    { id: text, ids: ['other', text], cost: 1.5e-7, none: null },
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

test('inserts are written before they are answered, not gathered by the server', async () => {
  await store.insert('markers', [{ name: 'a', value: 'b', version: 1 }])
  const insert = double.seen.findLast(({ sql }) => sql.includes('INSERT INTO markers'))
  expect(insert?.settings.get('async_insert')).toBe('0')
})

test('a query that fails says so, at once or midway, and the next is answered with its own rows', async () => {
  await expect(store.query('SELECT nothing AS value', {}, Value)).rejects.toMatchObject({ kind: 'failed', code: 47 })
  const failsMidway = `SELECT toString(number) AS value FROM (SELECT number FROM numbers(200000) SETTINGS max_block_size = 1000)
    WHERE throwIf(number = 199000) = 0`
  await expect(store.query(failsMidway, {}, Value)).rejects.toMatchObject({ name: 'StoreError' })
  expect(await store.query("SELECT 'own' AS value", {}, Value)).toEqual([{ value: 'own' }])
})

test('an aborted query is ended in the server', async () => {
  const controller = new AbortController()
  const endless = store.query('SELECT toString(sum(cityHash64(number))) AS value FROM numbers(1000000000000)', {}, Value, {
    signal: controller.signal,
  })
  setTimeout(() => controller.abort(), 50)
  await expect(endless).rejects.toMatchObject({ kind: 'aborted' })
  await expect
    .poll(() =>
      store.query(
        "SELECT query AS value FROM system.processes WHERE query LIKE '%cityHash64%' AND query NOT LIKE '%system.processes%'",
        {},
        Value,
      ),
    )
    .toEqual([])
})

test('a long answer arrives in batches and may be left early', async () => {
  for await (const batch of store.stream('SELECT toString(number) AS value FROM numbers(3000000)', {}, Value)) {
    expect(batch.length).toBeLessThan(1_000_000)
    break
  }
  expect(await store.query("SELECT 'own' AS value", {}, Value)).toEqual([{ value: 'own' }])
})

test('a wrong password is refused without being shown', async () => {
  const refusal = await openStore({ url: double.url.replace('p%40ss', 'wrong') }, rebuildDerived).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'StoreError', kind: 'unavailable' })
  expect((refusal as Error).message).not.toMatch(/wrong|w%C3%B6rd/)
})
