import { expect, test } from 'vitest'
import { StoreError } from '../store/store-error'
import { readInBatches } from './read-in-batches'

async function* generateKeys(count: number): AsyncGenerator<string[]> {
  for (let from = 0; from < count; from += 100) {
    yield Array.from({ length: Math.min(100, count - from) }, (_, index) => String(from + index))
  }
}

async function readAll(count: number, read: (keys: readonly string[]) => Promise<string[]>, size: number) {
  const batches: string[][] = []
  for await (const batch of readInBatches(generateKeys(count), read, () => size)) batches.push(batch)
  return batches
}

const echo = async (keys: readonly string[]) => [...keys]
const everyKey = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test.each([
  ['small items come in growing batches', 1, [128, 512, 1360]],
  ['large items come a few at a time', 1024 * 1024, [128, ...Array.from({ length: 234 }, () => 8)]],
  ['items larger than a batch come alone', 64 * 1024 * 1024, [128, ...Array.from({ length: 1872 }, () => 1)]],
])('%s, each once and in order', async (_, size, lengths) => {
  const batches = await readAll(2000, echo, size)
  expect(batches.map(({ length }) => length)).toEqual(lengths)
  expect(batches.flat()).toEqual(everyKey(2000))
})

test('all keys may come at once, however many', async () => {
  const keys = everyKey(300_000)
  const read: string[] = []
  for await (const batch of readInBatches(
    (async function* () {
      yield keys
    })(),
    echo,
    () => 1,
  ))
    for (const key of batch) read.push(key)
  expect(read).toEqual(keys)
})

test('a batch that is too large for the engine is halved until it fits', async () => {
  const read = async (keys: readonly string[]) => {
    if (keys.length > 40) throw new StoreError('unavailable', 'Memory limit exceeded', { code: 241 })
    return [...keys]
  }
  const batches = await readAll(300, read, 1)
  expect(batches[0]).toHaveLength(32)
  expect(batches.flat()).toEqual(everyKey(300))
})

test('an item too large for the engine ends the list with its error, like every other error', async () => {
  const tooLarge = new StoreError('unavailable', 'Memory limit exceeded', { code: 241 })
  await expect(readAll(10, async () => Promise.reject(tooLarge), 1)).rejects.toBe(tooLarge)
  const broken = new StoreError('failed', 'Broken', { code: 999 })
  await expect(readAll(10, async () => Promise.reject(broken), 1)).rejects.toBe(broken)
})
