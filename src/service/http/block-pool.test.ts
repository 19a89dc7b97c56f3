import { expect, test } from 'vitest'
import { blockBytes, BlockPool } from './block-pool'
import { BodyParts } from './body-parts'
import { freeBuffer } from '../lib/free-buffer'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Bytes that differ from their neighbours, in a buffer of their own. */
const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, index) => (index * 31 + seed) % 251)

test('a large body is the bytes of its chunks, whatever their sizes, and its chunks are freed', () => {
  const pool = new BlockPool()
  for (const sizes of [[blockBytes + 1], [10, blockBytes, 7], [1, 2, 3], [blockBytes, blockBytes, 1], [3 * blockBytes, 5]]) {
    const chunks = sizes.map((size, index) => bytesOf(size, index))
    const expected = Buffer.concat(chunks)
    const body = new BodyParts(pool)
    for (const chunk of chunks) body.add(chunk)
    expect(body.byteLength).toBe(expected.length)
    expect(Buffer.compare(body.join(), expected)).toBe(0)
    const isLarge = expected.length > blockBytes
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual(isLarge ? sizes.map(() => 0) : sizes)
    body.release()
  }
})

test('the blocks of a body are used again, and a body that is read too late is an error', () => {
  const pool = new BlockPool()
  const first = new BodyParts(pool)
  first.add(bytesOf(4 * blockBytes, 1))
  first.release()
  first.release()
  expect(pool.freeBlocks).toBe(4)
  expect(() => first.join()).toThrow('after its request has ended')
  const second = new BodyParts(pool)
  second.add(bytesOf(3 * blockBytes + 1, 2))
  expect(pool.freeBlocks).toBe(0)
  expect(Buffer.compare(second.join(), bytesOf(3 * blockBytes + 1, 2))).toBe(0)
})

test('somebody who still reads a body that has been released never gets the bytes of the next one', () => {
  const pool = new BlockPool()
  const body = new BodyParts(pool)
  body.add(bytesOf(3 * blockBytes, 1))
  const reading = body[Symbol.iterator]()
  reading.next()
  body.release()
  new BodyParts(pool).add(bytesOf(3 * blockBytes, 2))
  expect(() => reading.next()).toThrow('after its request has ended')
})

test('blocks that nobody needs are given back after a while, those in use stay', async () => {
  const pool = new BlockPool(20)
  const blocks = Array.from({ length: 10 }, () => pool.take())
  pool.give(blocks)
  const used = [pool.take(), pool.take()]
  await wait(100)
  expect(pool.freeBlocks).toBe(0)
  expect(used.map(({ byteLength }) => byteLength)).toEqual([blockBytes, blockBytes])
  expect(blocks.filter(({ byteLength }) => byteLength === 0)).toHaveLength(8)
})

test('only a whole buffer is freed', () => {
  const whole = bytesOf(100, 1)
  const part = bytesOf(100, 1).subarray(1)
  freeBuffer(whole)
  freeBuffer(part)
  expect([whole.byteLength, part.byteLength]).toEqual([0, 99])
})
