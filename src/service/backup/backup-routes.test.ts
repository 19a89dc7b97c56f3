import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'
import { Backups, requireFinishedBackup } from './backups'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

type Made = { path: string; byte_count: number }

test('only an administrator makes a backup', async () => {
  const response = await service.post('/backup', {}, reviewer)
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('may make a backup')
})

test('two backups are not made at once; each has a folder of its own, and no sessions', async () => {
  const [one, other] = await Promise.all([service.post('/backup', {}), service.post('/backup', {})])
  expect([one.status, other.status].toSorted((left, right) => left - right)).toEqual([200, 409])
  const first = (await (one.ok ? one : other).json()) as Made
  service.clock.offsetMs += 1000
  const second = (await (await service.post('/backup', {})).json()) as Made
  expect(second.path).not.toBe(first.path)
  for (const { path, byte_count: byteCount } of [first, second]) {
    expect(readdirSync(path).toSorted()).toEqual(['engine.xml', 'journal', 'store'])
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size)
    expect(byteCount).toBe(sizes.reduce((sum, size) => sum + size, 0))
    expect(files.some((file) => file.name === 'data.bin')).toBe(true)
    expect(
      files.some(
        (file) => file.name === 'calls.sql' && /CREATE|ATTACH/.test(readFileSync(join(file.parentPath, file.name), 'utf8')),
      ),
    ).toBe(true)
  }
  const dataFolder = join(first.path, '../../..')
  expect(readdirSync(join(dataFolder, 'store', 'backups'))).toHaveLength(2)
  expect(existsSync(join(dataFolder, 'store', 'shadow'))).toBe(false)
})

test('what a killed or failed backup leaves hinders none, and users behind a link are in it', async () => {
  const made = (await (await service.post('/backup', {})).json()) as Made
  const dataFolder = join(made.path, '../../..')
  const [unfinished, shadow] = ['backups/unfinished', 'shadow'].map((path) => join(dataFolder, 'store', path)) as [string, string] // of two
  for (const folder of [unfinished, shadow]) mkdirSync(folder)
  writeFileSync(join(unfinished, 'unfinished-backup'), '')
  // The engine counts its snapshots, and fails where it cannot read the count.
  writeFileSync(join(shadow, 'increment.txt'), '')
  writeFileSync(join(dataFolder, 'mounted.json'), '[]', { mode: 0o644 })
  symlinkSync('mounted.json', join(dataFolder, 'users.json'))
  // A disk that is mounted as the journal has one.
  mkdirSync(join(dataFolder, 'journal', 'lost+found'))

  service.clock.offsetMs += 1000
  const { path } = (await (await service.post('/backup', {})).json()) as Made
  expect(readdirSync(path).toSorted()).toEqual(['engine.xml', 'journal', 'store', 'users.json'])
  const users = lstatSync(join(path, 'users.json'))
  expect([users.isFile(), users.mode & 0o777]).toEqual([true, 0o600])
  expect([existsSync(unfinished), existsSync(shadow)]).toEqual([false, false])

  // A folder in the place of a file: the backup fails, and the next one does not wait for it.
  const blocked = join(dataFolder, 'journal')
  renameSync(blocked, `${blocked}.kept`)
  writeFileSync(blocked, '')
  service.clock.offsetMs += 1000
  expect((await service.post('/backup', {})).status).toBeGreaterThanOrEqual(500)
  rmSync(blocked)
  renameSync(`${blocked}.kept`, blocked)
  expect((await service.post('/backup', {})).status).toBe(200)
})

test('a backup that was not finished cannot be started on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spool-unfinished-'))
  expect(() => requireFinishedBackup(folder)).not.toThrow()
  writeFileSync(join(folder, 'unfinished-backup'), '')
  expect(() => requireFinishedBackup(folder)).toThrow(/is a backup that was not finished, so data is missing/)
  rmSync(folder, { recursive: true })
})

test('the data of a ClickHouse server is not backed up here', async () => {
  const backups = new Backups({ store: {}, folder: '', clock: Date.now })
  await expect(backups.create()).rejects.toMatchObject({ reason: 'elsewhere' })
})
