import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../create-logger'
import { FolderGuard } from './folder-guard'
import { guardStore } from './guarded-store'
import { sql } from './sql'
import type { Store } from './store'
import { StoreError } from './store-error'

let parent = ''
let folder = ''
let guard: FolderGuard
let lines: { level: number; msg: string; freeBytes?: number | null }[] = []

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'spool-guard-'))
  folder = join(parent, 'data')
  createFolder()
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  guard = new FolderGuard(folder, createLogger({ level: 'info', isTerminal: false, destination }))
})
afterEach(() => {
  guard.close()
  rmSync(parent, { recursive: true, force: true })
})

function createFolder() {
  mkdirSync(join(folder, 'store'), { recursive: true })
  writeFileSync(join(folder, 'store/status'), '')
}

const notCalled = () => Promise.reject(new Error('not called'))
/** A store that does nothing but run `insert`. */
function storeWith(insert: () => Promise<void>): Store {
  return {
    isShared: false,
    revisionOf: () => undefined,
    query: notCalled,
    // oxlint-disable-next-line require-yield
    stream: async function* () {
      throw new Error('not called')
    },
    insert,
    insertLines: insert,
    command: insert,
    close: async () => undefined,
  }
}
const gone = { kind: 'unavailable', clientMessage: expect.stringContaining('The data folder of this service is gone.') as string }

test('while the folder is there, nothing fails', () => {
  expect(guard.failure).toBeUndefined()
  guard.requireFolder()
  expect(lines).toEqual([])
})

test.each([
  ['deleted', () => rmSync(folder, { recursive: true })],
  ['moved', () => renameSync(folder, join(parent, 'elsewhere'))],
  [
    'replaced by an empty folder',
    () => {
      renameSync(folder, join(parent, 'elsewhere'))
      mkdirSync(folder)
    },
  ],
  [
    'replaced by another store',
    () => {
      renameSync(folder, join(parent, 'elsewhere'))
      createFolder()
    },
  ],
])('a folder that was %s fails everything from then on, with one line in the log', async (_, change) => {
  change()
  expect(() => guard.requireFolder()).toThrow(StoreError)
  const store = guardStore(storeWith(notCalled), guard)
  await expect(store.insert('calls', [])).rejects.toMatchObject(gone)
  await expect(store.query(sql`SELECT 1`, undefined as never)).rejects.toMatchObject(gone)
  expect(store.failure).toMatchObject(gone)
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining(`the data folder ${folder} is gone`) }])
})

test('an insert into a folder that goes away meanwhile is not acknowledged', async () => {
  const store = guardStore(
    storeWith(async () => rmSync(folder, { recursive: true })),
    guard,
  )
  await expect(store.insertLines('calls', new Uint8Array())).rejects.toMatchObject(gone)
})

test('without any request, the log says within seconds that the folder is gone, and that it is back but needs a restart', async () => {
  renameSync(folder, join(parent, 'elsewhere'))
  await expect.poll(() => lines.length).toBe(1)
  renameSync(join(parent, 'elsewhere'), folder)
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]?.msg).toBe(`the data folder ${folder} is back. Restart Spool to use it.`)
  expect(() => guard.requireFolder()).toThrow(StoreError)
  await wait(1100)
  expect(lines).toHaveLength(2)
})

test('a file operation of Node that finds the disk full is told like a write of the engine', async () => {
  const system = { errno: -28, code: 'ENOSPC', syscall: 'copyfile', path: 'secret', dest: 'secret' }
  const cause = Object.assign(new Error("ENOSPC: no space left on device, copyfile 'secret' -> 'secret'"), system)
  const store = guardStore(
    storeWith(() => Promise.reject(cause)),
    guard,
  )
  const clientMessage = expect.stringMatching(/^The disk of this service is full\. (?!.*secret)/) as string
  await expect(store.insert('calls', [])).rejects.toMatchObject({ kind: 'unavailable', clientMessage })
})

test.each([
  [243, 'Cannot reserve 1.00 MiB, not enough space. secret', 'the disk is full'],
  [75, 'Cannot write to file secret: , errno: 28, strerror: No space left on device', 'the disk is full'],
  [1001, 'std::filesystem: in create_directories: No space left on device ["secret"]', 'the disk is full'],
  [76, 'Cannot open file secret: , errno: 30, strerror: Read-only file system', 'the disk is read-only'],
  [76, 'Cannot open file secret: , errno: 24, strerror: Too many open files', 'the process has too many open files'],
  [76, 'Cannot open file secret: , errno: 13, strerror: Permission denied', 'this user may not write its files any more'],
])('error %i (%s) is reported once, and once more when writing works again', async (code, text, problem) => {
  let isBroken = true
  const store = guardStore(
    storeWith(async () => {
      if (isBroken) throw new StoreError('failed', 'x', { code, cause: new Error(`Code: ${code}. DB::Exception: ${text}`) })
    }),
    guard,
  )
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const error: unknown = await store.insert('calls', []).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      kind: 'unavailable',
      code,
      clientMessage: expect.stringContaining('Nothing of this request is stored or read') as string,
    })
    expect(`${(error as StoreError).message} ${(error as StoreError).clientMessage}`).not.toContain('secret')
  }
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining(problem), freeBytes: expect.any(Number) }])
  isBroken = false
  await store.insert('calls', [])
  await store.insert('calls', [])
  expect(lines.slice(1)).toMatchObject([{ level: 30, msg: 'the data folder can be written again' }])
})

test('the text of an error that is not about files says nothing about the disk, whatever a client made it quote', async () => {
  const cause = new Error('Cannot parse: errno: 28, No space left on device')
  const store = guardStore(
    storeWith(async () => {
      throw new StoreError('bad_row', 'x', { code: 27, cause })
    }),
    guard,
  )
  await expect(store.insert('calls', [])).rejects.toMatchObject({ kind: 'bad_row', clientMessage: undefined })
  expect(lines).toEqual([])
})
