import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../create-logger'
import { createUsersFile, createDataFolder, readUsersFile, requirePrivateUsersFile } from './users-file'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spool-users-'))
  lines.length = 0
})
afterEach(() => rmSync(root, { recursive: true }))

const lines: string[] = []
const logger = createLogger({ level: 'warn', isTerminal: false, destination: { write: (line) => lines.push(line) } })
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('creates an administrator with a random password, readable by the owner of the folder only', async () => {
  const folder = join(root, 'deep', 'data')
  await createDataFolder(folder, logger)
  expect(await readUsersFile(folder)).toBeUndefined()
  const administrator = await createUsersFile(folder)
  expect(Buffer.from(administrator.password, 'base64url')).toHaveLength(24)
  expect(await readUsersFile(folder)).toEqual([administrator])
  expect([modeOf(folder), modeOf(join(folder, 'users.json'))]).toEqual(['700', '600'])
  expect(readdirSync(folder)).toEqual(['users.json'])
  expect((await createUsersFile(join(root, 'deep'))).password).not.toBe(administrator.password)
})

test.each([
  ['half of the JSON', '[{'],
  ['nothing in it', ''],
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

test.each([
  ['', 'line 1, character 1'],
  ['[{"username":"a","password":"sec', 'line 1, character 33'],
  ['[\n  {"username":"a","password":"secret","projects":"*"},\n]\n', 'line 3, character 1'],
  ['[\n  {"username":"a","password":"secret" "projects":"*"}\n]', 'line 2, character 39'],
  ['[{"password":secret}]', 'line 1, character 14'],
  ['[{"password":"secret"}] x', 'line 1, character 25'],
])('of a file that is not JSON the error says where, and not what stands there: %j', async (text, place) => {
  writeFileSync(join(root, 'users.json'), text)
  const error = await readUsersFile(root).catch((each: unknown) => String(each))
  expect(error).toContain(`users.json is not a list of users: it is not valid JSON (${place}).`)
  expect(error).not.toContain('sec')
})

test.each([
  [[{ username: 'a', password: '' }], "at '0.password': must not be empty"],
  [[], 'the list: must not be empty'],
  [[{ username: 'a' }, { username: 'b' }, { username: 'a' }], 'the list: two users have the name "a"'],
  [
    [{ username: 'a' }, { username: 'b', password: 'secret' }, { username: 'c', password: 'secret' }],
    'the list: "b" and "c" have the same password, but a password alone must identify one user',
  ],
])('the users %j are refused in words: %s', async (users, expected) => {
  const filled = users.map((user, index) => ({ password: `pw-${index}`, projects: '*', ...user }))
  writeFileSync(join(root, 'users.json'), JSON.stringify(filled))
  const error = await readUsersFile(root).catch((each: unknown) => String(each))
  expect(error).toContain(`users.json is not a list of users (${expected}).`)
  expect(error).not.toContain('secret')
})

test.each(['a:b', 'a\nb', '\ud800'])('a username that no client can send (%j) is named in the error', async (username) => {
  writeFileSync(join(root, 'users.json'), JSON.stringify([{ username, password: 'secret', projects: '*' }]))
  const error = await readUsersFile(root).catch((each: unknown) => String(each))
  expect(error).toContain(`(at '0.username' ${JSON.stringify(username)}: must not contain ':' or control characters)`)
  expect(error).not.toContain('secret')
})

test('a folder and a users.json that others can read are made private, with a line for each', async () => {
  const folder = join(root, 'shared')
  await createDataFolder(folder, logger)
  writeFileSync(join(folder, 'users.json'), '[]')
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'users.json'), 0o640)
  for (let starts = 0; starts < 2; starts += 1) {
    await createDataFolder(folder, logger)
    await requirePrivateUsersFile(folder, logger)
  }
  expect([modeOf(folder), modeOf(join(folder, 'users.json'))]).toEqual(['700', '600'])
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('users.json was open to other users of this machine')
  await requirePrivateUsersFile(root, logger)
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be created is reported', async () => {
  chmodSync(root, 0o500)
  await expect(createDataFolder(join(root, 'x'), logger)).rejects.toThrow(/cannot be created/)
  chmodSync(root, 0o700)
})

test('a path below a file is reported', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(createDataFolder(join(root, 'file', 'x'), logger)).rejects.toThrow(/cannot be created/)
})
