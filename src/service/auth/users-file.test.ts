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

test('creates an administrator with a random password, readable by the owner of the folder only', async () => {
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
  ['invalid JSON', '{'],
  ['no list', '{}'],
  ['no users', '[]'],
  ['a misspelled field', '[{"username":"a","password":"x","projects":"*","project":["a/b"]}]'],
  ['no projects', '[{"username":"a","password":"x"}]'],
  ['an invalid project', '[{"username":"a","password":"x","projects":["a"]}]'],
  ['a long name', `[{"username":"${'a'.repeat(257)}","password":"x","projects":"*"}]`],
  ['an empty password', '[{"username":"a","password":"","projects":"*"}]'],
  ['two users of one name', '[{"username":"a","password":"x","projects":"*"},{"username":"a","password":"y","projects":"*"}]'],
  ['two users of one password', '[{"username":"a","password":"x","projects":"*"},{"username":"b","password":"x","projects":[]}]'],
])('rejects a file with %s in one line, and leaves it unchanged', async (_, text) => {
  const path = join(root, 'users.json')
  writeFileSync(path, text)
  await expect(readUsersFile(root)).rejects.toThrow(/^.*users\.json is not a list of users.*$/)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be created is reported', async () => {
  chmodSync(root, 0o500)
  await expect(createDataFolder(join(root, 'x'))).rejects.toThrow(/cannot be created/)
  chmodSync(root, 0o700)
})

test('a path below a file is reported', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(createDataFolder(join(root, 'file', 'x'))).rejects.toThrow(/cannot be created/)
})
