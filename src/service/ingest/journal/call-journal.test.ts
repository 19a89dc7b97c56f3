import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLogger } from '../../testing/silent-logger'
import { CallJournal } from './call-journal'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'spool-journal-')), 'journal')
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const open = () => CallJournal.open(folder, silentLogger)
const names = () => readdirSync(folder).toSorted()
const bytes = (text: string) => Buffer.from(text)
async function readLeft(): Promise<string[]> {
  const left: string[] = []
  const journal = await open()
  await journal.replay(async (records) => void left.push(...records.map(String)))
  return left
}

test('what was appended and not released is replayed by the next process, in order and once', async () => {
  const journal = await open()
  await Promise.all(['a', 'b'].map((text) => journal.append(bytes(text))))
  await journal.append(bytes('c'))
  // The process is killed here.
  expect(await readLeft()).toEqual(['a', 'b', 'c'])
  expect(await readLeft()).toEqual([])
})

test('more requests at once than the system takes pieces of memory in one write are all on disk', async () => {
  const journal = await open()
  const texts = Array.from({ length: 3000 }, (_, index) => `request ${index}`)
  await Promise.all(texts.map((text) => journal.append(bytes(text))))
  expect(await readLeft()).toEqual(texts)
})

test('a file is removed when all its records are stored elsewhere, and its journal is closed', async () => {
  const journal = await open()
  const releases = await Promise.all(['a', 'b'].map((text) => journal.append(bytes(text))))
  for (const release of releases) release()
  await journal.close()
  await expect.poll(names).toEqual([])
})

test('a file with one record that is not stored elsewhere is kept', async () => {
  const journal = await open()
  const [releaseFirst] = await Promise.all(['a', 'b'].map((text) => journal.append(bytes(text))))
  releaseFirst?.()
  await journal.close()
  expect(await readLeft()).toEqual(['a', 'b'])
})

test('files of some megabytes follow each other, and each is removed by itself', async () => {
  const journal = await open()
  const content = Buffer.alloc(4 * 1024 * 1024, 'x')
  const releases = []
  for (let count = 0; count < 10; count += 1) releases.push(await journal.append(content))
  expect(names()).toHaveLength(3)
  for (const release of releases.slice(0, 4)) release()
  await expect.poll(() => names().length).toBe(2)
})

const damages: Readonly<Record<string, (file: Buffer) => Buffer>> = {
  'cut in its head': (file) => file.subarray(0, -6),
  'cut in its content': (file) => file.subarray(0, -1),
  'with one bit that changed': (file) => {
    const changed = Buffer.from(file)
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1)
    return changed
  },
  'followed by zeros': (file) => Buffer.concat([file.subarray(0, -9), Buffer.alloc(4096)]),
  'with a length far beyond the file': (file) => {
    const changed = Buffer.from(file)
    changed.writeUInt32LE(0xffff_fff0, changed.length - 9)
    return changed
  },
}
for (const [name, damage] of Object.entries(damages)) {
  test(`a last record ${name} is not replayed, and those before it are`, async () => {
    const journal = await open()
    for (const text of ['first', 'second', 'c']) await journal.append(bytes(text))
    const path = join(folder, names()[0] ?? '')
    writeFileSync(path, damage(readFileSync(path)))
    expect(await readLeft()).toEqual(['first', 'second'])
  })
}

test('an empty file, which a power cut may leave, has no records', async () => {
  await (await open()).close()
  writeFileSync(join(folder, '000000000007.log'), '')
  expect(await readLeft()).toEqual([])
  expect(names()).toEqual([])
})

test('a replay that fails goes on at the same file', async () => {
  const journal = await open()
  await journal.append(bytes('a'))
  const next = await open()
  await expect(next.replay(() => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  const left: string[] = []
  await next.replay(async (records) => void left.push(...records.map(String)))
  expect(left).toEqual(['a'])
})

test('a new process appends to a file of its own, never to one with a record that is cut off', async () => {
  await (await open()).append(bytes('a'))
  appendFileSync(join(folder, names()[0] ?? ''), 'half a record')
  const journal = await open()
  await journal.append(bytes('b'))
  expect(await readLeft()).toEqual(['a', 'b'])
})

test('its folder and files are for their owner alone', async () => {
  const journal = await open()
  await journal.append(bytes('a'))
  await journal.setAside(bytes('b'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of names()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test('a file that cannot be created rejects the append, and the next append tries again', async () => {
  const journal = await open()
  rmSync(folder, { recursive: true })
  await expect(journal.append(bytes('a'))).rejects.toMatchObject({ code: 'ENOENT' })
  await open()
  await journal.append(bytes('b'))
  expect(await readLeft()).toEqual(['b'])
})
