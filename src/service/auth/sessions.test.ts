import { expect, test } from 'vitest'
import { createLogger } from '../create-logger'
import { Sessions } from './sessions'
import type { SessionsFile } from './sessions-file'
import { Users, type UserWithPassword } from './users'

const hourMs = 3_600_000
const ann = { username: 'ann', password: 'ann-secret', projects: '*' } satisfies UserWithPassword
const kim = { username: 'kim', password: 'kim-secret', projects: ['a/b'] } satisfies UserWithPassword

function open(
  users: readonly UserWithPassword[] = [ann, kim],
  file: SessionsFile = { savedAt: 0, sessions: [] },
  time = { now: 0 },
) {
  const saved: SessionsFile[] = [structuredClone(file)]
  const lines: string[] = []
  const disk = { isFull: false }
  const sessions = new Sessions({
    users: new Users(users),
    clock: () => time.now,
    logger: createLogger({ level: 'error', isTerminal: false, destination: { write: (line) => lines.push(line) } }),
    stored: file.sessions,
    save: async (next) => {
      if (disk.isFull) throw new Error('no space left')
      saved.push(structuredClone(next))
    },
  })
  return { sessions, time, disk, lines, saved, file: () => saved.at(-1) ?? file }
}

test('a token finds its user, in this process and after a restart, until the session ends', async () => {
  const first = open()
  const token = await first.sessions.create(ann, false)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(first.sessions.findUser(token)).toEqual({ username: 'ann', projects: '*' })
  expect(first.sessions.findUser(`${token.slice(0, -1)}-`)).toBeUndefined()

  const second = open([ann, kim], first.file())
  expect(second.sessions.findUser(token)).toEqual({ username: 'ann', projects: '*' })
  await second.sessions.end(token)
  expect(second.sessions.findUser(token)).toBeUndefined()
  expect(open([ann, kim], second.file()).sessions.findUser(token)).toBeUndefined()
})

test('neither the token nor the password is stored', async () => {
  const { sessions, file } = open()
  const token = await sessions.create(ann, true)
  const text = JSON.stringify(file())
  expect(text).not.toContain(token)
  expect(text).not.toContain(ann.password)
})

test('a session ends after twelve hours without use, and after 30 days of use', async () => {
  const { sessions, time } = open()
  const idle = await sessions.create(ann, false)
  const used = await sessions.create(ann, false)
  time.now = 12 * hourMs - 1
  expect(sessions.findUser(used)).toBeDefined()
  time.now = 12 * hourMs
  expect([sessions.findUser(idle), sessions.findUser(used) !== undefined]).toEqual([undefined, true])
  for (; time.now < 30 * 24 * hourMs; time.now += 11 * hourMs) expect(sessions.findUser(used)).toBeDefined()
  expect(sessions.findUser(used)).toBeUndefined()
})

test('a remembered session lasts 30 days, used or not', async () => {
  const { sessions, time } = open()
  const token = await sessions.create(ann, true)
  expect(sessions.expiryOf(token)).toBe(30 * 24 * hourMs)
  time.now = 30 * 24 * hourMs - 1
  expect(sessions.findUser(token)).toBeDefined()
  time.now += 1
  expect(sessions.findUser(token)).toBeUndefined()
})

test('signing out everywhere ends all sessions of the user and of nobody else', async () => {
  const { sessions, file } = open()
  const tokens = [await sessions.create(ann, true), await sessions.create(ann, false)]
  const other = await sessions.create(kim, false)
  await sessions.endAll(ann)
  expect(tokens.map((token) => sessions.findUser(token))).toEqual([undefined, undefined])
  expect(sessions.findUser(other)?.username).toBe('kim')
  expect(file().sessions).toHaveLength(1)
})

test('a restart with another password or without the user ends the sessions of that user, for good', async () => {
  const first = open()
  const token = await first.sessions.create(ann, true)
  const other = await first.sessions.create(kim, true)
  const changed = open([{ ...ann, password: 'new' }, kim], first.file())
  expect([changed.sessions.findUser(token), changed.sessions.findUser(other)?.username]).toEqual([undefined, 'kim'])
  await changed.sessions.close()
  // Not even the old password brings it back.
  expect(open([ann, kim], changed.file()).sessions.findUser(token)).toBeUndefined()
  expect(open([kim], first.file()).sessions.findUser(token)).toBeUndefined()
})

test('a new sign-in in the same browser replaces its session', async () => {
  const { sessions } = open()
  const old = await sessions.create(ann, false)
  const token = await sessions.create(kim, false, old)
  expect([sessions.findUser(old), sessions.findUser(token)?.username]).toEqual([undefined, 'kim'])
})

test('a user has at most 100 sessions: the least recently used one ends, and other users keep theirs', async () => {
  const { sessions, time } = open()
  const other = await sessions.create(kim, false)
  const tokens: string[] = []
  for (let count = 0; count < 101; count += 1) {
    time.now += 1
    tokens.push(await sessions.create(ann, false))
    sessions.findUser(tokens[0] ?? '')
  }
  expect(tokens.flatMap((token, index) => (sessions.findUser(token) ? [] : [index]))).toEqual([1])
  expect(sessions.findUser(other)).toBeDefined()
  expect(sessions.countOf(ann)).toBe(100)
})

test('all users together have at most 5000 sessions', async () => {
  const users = Array.from({ length: 51 }, (_, index): UserWithPassword => {
    return { username: `u${index}`, password: `p${index}`, projects: [] }
  })
  const { sessions, file } = open(users)
  for (const user of users) await Promise.all(Array.from({ length: 100 }, () => sessions.create(user, false)))
  expect(file().sessions).toHaveLength(5000)
}, 30_000)

test('the last use is stored every five minutes and at the end', async () => {
  const { sessions, time, saved, file } = open()
  const token = await sessions.create(ann, false)
  const writes = saved.length
  for (time.now = 0; time.now < 300_000; time.now += 10_000) sessions.findUser(token)
  expect(saved).toHaveLength(writes)
  sessions.findUser(token)
  await expect.poll(() => saved.length).toBe(writes + 1)
  time.now += 1
  sessions.findUser(token)
  await sessions.close()
  expect(file().sessions[0]?.usedAt).toBe(300_001)
})

test('many sign-ins at once share a write', async () => {
  const { sessions, saved } = open()
  await Promise.all(Array.from({ length: 50 }, () => sessions.create(ann, false)))
  expect(saved.length).toBeLessThan(4)
  expect(saved.at(-1)?.sessions).toHaveLength(50)
})

test('on a full disk a sign-in works until the restart, and a sign-out fails until it is stored', async () => {
  const { sessions, disk, lines, file } = open()
  const stored = await sessions.create(ann, false)
  disk.isFull = true
  const token = await sessions.create(ann, false)
  expect(sessions.findUser(token)).toBeDefined()
  await expect(sessions.end(stored)).rejects.toThrow('no space left')
  expect(sessions.findUser(stored)).toBeUndefined()
  expect(lines).toHaveLength(2)
  disk.isFull = false
  await sessions.end(stored)
  expect(file().sessions).toHaveLength(1)
})
