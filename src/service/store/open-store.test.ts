import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql } from './sql'
import { snapshotFolder } from './store'
import { openStore } from './open-store'
import { rebuildDerived } from '../derive/rebuild-derived'

const Count = z.object({ count: z.number() })
const countCalls = sql`SELECT toUInt32(count()) AS count FROM calls`

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-store-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a row that was written before closing is there after opening again', async () => {
  const first = await openStore({ folder }, rebuildDerived)
  expect(first.isShared).toBe(false)
  await first.insert('calls', [{ project_id: 'a/b', id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await first.close()
  const second = await openStore({ folder }, rebuildDerived)
  const rows = await second.query(
    sql`SELECT id, started_at FROM calls FINAL WHERE project_id = ${'a/b'}`,
    z.object({ id: z.string(), started_at: z.string() }),
  )
  expect(rows).toEqual([{ id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await second.close()
})

test('the first start of a folder does not announce that tables are filled again', async () => {
  const messages: string[] = []
  const log = (_: object, message: string) => messages.push(message)
  const store = await openStore({ folder }, rebuildDerived, { logger: { info: log, error: log } })
  await store.close()
  expect(messages).toEqual([])
})

test('the engine’s configuration is readable by its owner only', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  expect(statSync(join(folder, 'engine.xml')).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a first start that was interrupted before it created the store is continued', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.close()
  rmSync(join(folder, 'store'), { recursive: true })
  mkdirSync(join(folder, 'store'))
  await expect(openStore({ folder }, rebuildDerived)).rejects.toThrow(/had a store/)
  writeFileSync(join(folder, 'store.creating'), '')
  const again = await openStore({ folder }, rebuildDerived)
  expect(existsSync(join(folder, 'store.creating'))).toBe(false)
  await again.close()
})

test('a store that a newer version wrote is rejected', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.insert('migrations', [{ number: 1000, name: 'from the future' }])
  await store.close()
  await expect(openStore({ folder }, rebuildDerived)).rejects.toThrow(/newer version of Spool \(its tables are at step 1000/)
})

test('migrations that a start did not finish are finished by the next one', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.insert('calls', [{ project_id: 'a/b', id: '1' }])
  await store.command(sql`TRUNCATE TABLE migrations`)
  await store.command(sql`DROP TABLE markers`)
  await store.close()
  const again = await openStore({ folder }, rebuildDerived)
  expect(await again.query(countCalls, Count)).toEqual([{ count: 1 }])
  await again.insert('markers', [{ name: 'x', value: 'y', version: 1 }])
  await again.close()
})

test('a damaged part stops the start and is named; when it is moved away, the store opens without it', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.command(sql`SYSTEM STOP MERGES calls`)
  await store.insert('calls', [{ project_id: 'a/b', id: '1' }])
  await store.insert('calls', [{ project_id: 'a/b', id: '2' }])
  const Part = z.object({ path: z.string() })
  const parts = await store.query(sql`SELECT path FROM system.parts WHERE table = 'calls' AND active ORDER BY name`, Part)
  await store.close()
  const [damaged] = parts
  const data = readdirSync(damaged!.path).find((name) => name === 'data.bin' || name === 'id.bin')
  truncateSync(join(damaged!.path, data!), 5)

  const failure = await openStore({ folder }, rebuildDerived).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'StoreError', message: expect.stringContaining('1 damaged part') as string })
  const path = /\((\/[^)]+)\)/.exec((failure as Error).message)?.[1]
  renameSync(path!, join(folder, 'set-aside'))
  const again = await openStore({ folder }, rebuildDerived)
  expect(await again.query(countCalls, Count)).toEqual([{ count: 1 }])
  await again.close()
})

test('rows are read by one thread: a batch is too small to be divided', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.command(sql`CREATE TABLE settings_of_inserts
    (id String, count UInt32 DEFAULT toUInt32(getSetting('input_format_parallel_parsing'))) ENGINE = Memory`)
  await store.insert('settings_of_inserts', [{ id: 'a' }])
  expect(await store.query(sql`SELECT count FROM settings_of_inserts`, Count)).toEqual([{ count: 0 }])
  await store.close()
})

test('closing ends running statements', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  const endless = store.query(sql`SELECT toUInt32(sum(cityHash64(number)) % 10) AS count FROM numbers(1000000000000)`, Count)
  const ended = expect(endless).rejects.toMatchObject({ name: 'StoreError' })
  await store.query(sql`SELECT toUInt32(1) AS count`, Count)
  await store.close()
  await ended
  await expect(store.query(sql`SELECT toUInt32(1) AS count`, Count)).rejects.toMatchObject({ kind: 'closed' })
})

test('a folder that cannot be created is rejected in one sentence', async () => {
  await expect(openStore({ folder: '/dev/null/spool' }, rebuildDerived)).rejects.toThrow(
    /^The data folder \/dev\/null\/spool cannot be written/,
  )
})

test('the error for a wrong server address does not contain the password', async () => {
  for (const url of ['http://u:secret@127.0.0.1:9/spool', 'ftp://u:secret@host/db', 'http://u:secret@host/db/more', 'secret']) {
    const failure = await openStore({ url }, rebuildDerived).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'StoreError' })
    expect((failure as Error).message).not.toContain('secret')
  }
})

test('more writes than run at once, of two users, wait for a snapshot and do not keep it from ending', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  const writeSome = (from: number) =>
    Array.from({ length: 20 }, (_, index) => {
      const row = { project_id: 'a/b', id: String(from + index), started_at: '2026-01-01 00:00:00.000000' }
      return store.insert('calls', [row], { share: { user: index % 2 ? 'ann' : 'kim', projectId: 'a/b' } })
    })
  const before = writeSome(100)
  const snapshot = store.snapshot?.(async () => {})
  await Promise.all([...before, ...writeSome(200), snapshot])
  expect(await store.query(countCalls, Count)).toEqual([{ count: 40 }])
  await store.close()
}, 20_000)

test('nothing is written while a snapshot is made', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  const row = { project_id: 'a/b', id: '1' }
  let later = Promise.resolve()
  const insideCounts = await new Promise<unknown>((resolve, reject) => {
    const meanwhile = async () => {
      later = store.insert('calls', [row])
      // Long enough for an insert that nothing holds back.
      await wait(300)
      resolve(await store.query(countCalls, Count))
    }
    store.snapshot?.(meanwhile).catch(reject)
  })
  expect(insideCounts).toEqual([{ count: 0 }])
  await later
  expect(await store.query(countCalls, Count)).toEqual([{ count: 1 }])
  const tables = readdirSync(join(folder, snapshotFolder), { recursive: true, encoding: 'utf8' })
  expect(tables.some((path) => path.endsWith('data.bin'))).toBe(true)
  await store.close()
})
