import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUsersFile, createDataFolder, readUsersFile } from './users-file'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spool-users-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('the first administrator has a password of its own, for its owner alone to read', async () => {
  const folder = join(root, 'deep', 'data')
  await createDataFolder(folder)
  expect(await readUsersFile(folder)).toBeUndefined()
  const administrator = await createUsersFile(folder)
  expect(Buffer.from(administrator.password, 'base64url')).toHaveLength(24)
  expect(await readUsersFile(folder)).toEqual([administrator])
  expect([modeOf(folder), modeOf(join(folder, 'users.json'))]).toEqual(['700', '600'])
  expect(readdirSync(folder)).toEqual(['users.json'])
  expect((await createUsersFile(join(root, 'deep'))).password).not.toBe(administrator.password)
})

test.each([
  ['no JSON', '{'],
  ['no list', '{}'],
  ['nobody', '[]'],
  ['a misspelled field', '[{"username":"a","password":"x","projects":"*","project":["a/b"]}]'],
  ['no projects', '[{"username":"a","password":"x"}]'],
  ['a project that is none', '[{"username":"a","password":"x","projects":["a"]}]'],
  ['an empty password', '[{"username":"a","password":"","projects":"*"}]'],
  ['one name twice', '[{"username":"a","password":"x","projects":"*"},{"username":"a","password":"y","projects":"*"}]'],
  ['one password twice', '[{"username":"a","password":"x","projects":"*"},{"username":"b","password":"x","projects":[]}]'],
])('a file with %s is refused in one line, and left alone', async (_, text) => {
  const path = join(root, 'users.json')
  writeFileSync(path, text)
  await expect(readUsersFile(root)).rejects.toThrow(/^.*users\.json is not a list of users.*$/)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written says so', async () => {
  chmodSync(root, 0o500)
  await expect(createDataFolder(join(root, 'x'))).rejects.toThrow(/cannot be made/)
  chmodSync(root, 0o700)
})

test('a folder that is a file says so', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(createDataFolder(join(root, 'file', 'x'))).rejects.toThrow(/cannot be made/)
})
