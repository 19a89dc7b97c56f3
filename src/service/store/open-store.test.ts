import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openStore } from './open-store'
import { rebuildDerived } from '../derive/rebuild-derived'

const Count = z.object({ count: z.number() })
const countCalls = 'SELECT toUInt32(count()) AS count FROM calls'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-store-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a row written before a close is there after the next opening', async () => {
  const first = await openStore({ folder }, rebuildDerived)
  expect(first.isShared).toBe(false)
  await first.insert('calls', [{ project_id: 'a/b', id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await first.close()
  const second = await openStore({ folder }, rebuildDerived)
  const rows = await second.query(
    'SELECT id, started_at FROM calls FINAL WHERE project_id = {project:String}',
    { project: 'a/b' },
    z.object({ id: z.string(), started_at: z.string() }),
  )
  expect(rows).toEqual([{ id: '1', started_at: '2026-01-31 09:30:00.123456' }])
  await second.close()
})

test('the engine’s configuration is readable by its owner only', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  expect(statSync(join(folder, 'engine.xml')).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a store that a newer version wrote is refused, and is as it was', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.insert('migrations', [{ number: 1000, name: 'from the future' }])
  await store.close()
  await expect(openStore({ folder }, rebuildDerived)).rejects.toThrow(/newer version of Spool \(its tables are at step 1000/)
})

test('a start that was cut short between the steps of a migration is finished by the next', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.insert('calls', [{ project_id: 'a/b', id: '1' }])
  await store.command('TRUNCATE TABLE migrations')
  await store.command('DROP TABLE markers')
  await store.close()
  const again = await openStore({ folder }, rebuildDerived)
  expect(await again.query(countCalls, {}, Count)).toEqual([{ count: 1 }])
  await again.insert('markers', [{ name: 'x', value: 'y', version: 1 }])
  await again.close()
})

test('a damaged part stops the start and is named; moved away, the rest opens', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  await store.command('SYSTEM STOP MERGES calls')
  await store.insert('calls', [{ project_id: 'a/b', id: '1' }])
  await store.insert('calls', [{ project_id: 'a/b', id: '2' }])
  const Part = z.object({ path: z.string() })
  const parts = await store.query("SELECT path FROM system.parts WHERE table = 'calls' AND active ORDER BY name", {}, Part)
  await store.close()
  const [damaged] = parts
  const data = readdirSync(damaged!.path).find((name) => name === 'data.bin' || name === 'id.bin')
  truncateSync(join(damaged!.path, data!), 5)

  const refusal = await openStore({ folder }, rebuildDerived).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'StoreError', message: expect.stringContaining('1 damaged part') as string })
  const path = /\((\/[^)]+)\)/.exec((refusal as Error).message)?.[1]
  renameSync(path!, join(folder, 'set-aside'))
  const again = await openStore({ folder }, rebuildDerived)
  expect(await again.query(countCalls, {}, Count)).toEqual([{ count: 1 }])
  await again.close()
})

test('closing ends what still runs', async () => {
  const store = await openStore({ folder }, rebuildDerived)
  const endless = store.query('SELECT toUInt32(sum(cityHash64(number)) % 10) AS count FROM numbers(1000000000000)', {}, Count)
  const ended = expect(endless).rejects.toMatchObject({ name: 'StoreError' })
  await store.query('SELECT toUInt32(1) AS count', {}, Count)
  await store.close()
  await ended
  await expect(store.query('SELECT toUInt32(1) AS count', {}, Count)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a folder that cannot be made is refused in one sentence', async () => {
  await expect(openStore({ folder: '/dev/null/spool' }, rebuildDerived)).rejects.toThrow(
    /^The data folder \/dev\/null\/spool cannot be written/,
  )
})

test('an address that is no ClickHouse server is refused without showing its password', async () => {
  for (const url of ['http://u:secret@127.0.0.1:9/spool', 'ftp://u:secret@host/db', 'http://u:secret@host/db/more', 'secret']) {
    const refusal = await openStore({ url }, rebuildDerived).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'StoreError' })
    expect((refusal as Error).message).not.toContain('secret')
  }
})
