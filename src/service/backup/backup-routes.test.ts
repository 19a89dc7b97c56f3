import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'
import { Backups } from './backups'

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
  expect(readdirSync(join(dataFolder, 'store', 'shadow'))).not.toContain('snapshot')
})

test('the data of a ClickHouse server is not backed up here', async () => {
  const backups = new Backups({ store: {}, folder: '', clock: Date.now })
  await expect(backups.create()).rejects.toMatchObject({ reason: 'elsewhere' })
})
