import { expect, test } from 'vitest'
import { toBodyStream } from './json-lines'

test('a client that stops reading is cut off, and what fed it ends', async () => {
  let hasEnded = false
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(10)
    } finally {
      hasEnded = true
    }
  }
  const reader = toBodyStream(endless(), () => undefined, 20).getReader()
  expect((await reader.read()).value).toHaveLength(10)
  await expect(reader.closed).rejects.toThrow('stopped reading')
  expect(hasEnded).toBe(true)
})

test('a client that pauses for less goes on where it was', async () => {
  async function* three() {
    for (const byte of [1, 2, 3]) yield Uint8Array.of(byte)
  }
  const reader = toBodyStream(three(), () => undefined, 1000).getReader()
  const read = []
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    read.push(chunk.value[0])
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(read).toEqual([1, 2, 3])
})
