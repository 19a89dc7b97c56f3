import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../create-logger'
import { readSessionsFile, type StoredSession, writeSessionsFile } from './sessions-file'

let folder = ''
const lines: string[] = []
const logger = createLogger({ level: 'warn', isTerminal: false, destination: { write: (line) => lines.push(line) } })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-sessions-'))
  lines.length = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const session: StoredSession = {
  tokenHash: 'a'.repeat(64),
  username: 'ann',
  passwordProof: 'b'.repeat(64),
  createdAt: 1000,
  usedAt: 2000,
  isRemembered: true,
}

test('what is written is read again, and only the owner of the folder can read it', async () => {
  expect(await readSessionsFile(folder, 0, logger)).toEqual([])
  await writeSessionsFile(folder, { savedAt: 5000, sessions: [session] })
  expect(await readSessionsFile(folder, 5000, logger)).toEqual([session])
  expect((statSync(join(folder, 'sessions.json')).mode & 0o777).toString(8)).toBe('600')
  expect(lines).toEqual([])
})

test.each([
  ['no JSON', '{"savedAt": 1, "sess'],
  ['empty', ''],
  ['other JSON', '[]'],
  ['a session without a time', JSON.stringify({ savedAt: 1, sessions: [{ ...session, createdAt: null }] })],
  ['a token that is no digest', JSON.stringify({ savedAt: 1, sessions: [{ ...session, tokenHash: 'x' }] })],
])('a damaged file (%s) ends all sessions with one line', async (_, text) => {
  writeFileSync(join(folder, 'sessions.json'), text)
  expect(await readSessionsFile(folder, 5000, logger)).toEqual([])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('is damaged, so all sessions have ended: everybody signs in again')
})

test('a file that cannot be read ends all sessions with one line', async () => {
  mkdirSync(join(folder, 'sessions.json'))
  expect(await readSessionsFile(folder, 5000, logger)).toEqual([])
  expect(lines).toHaveLength(1)
  chmodSync(join(folder, 'sessions.json'), 0o700)
})

test('after the clock was set back all sessions have ended: nobody knows how old they are', async () => {
  await writeSessionsFile(folder, { savedAt: 500_000, sessions: [session] })
  expect(await readSessionsFile(folder, 450_000, logger)).toEqual([session]) // a correction
  expect(await readSessionsFile(folder, 400_000, logger)).toEqual([])
  expect(lines[0]).toContain("this machine's clock was set back")
})
