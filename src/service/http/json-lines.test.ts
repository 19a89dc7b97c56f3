import { expect, test } from 'vitest'
import { encodeJsonLines, toBodyStream, waitForFirst } from './json-lines'

test('encodes batches as one compact JSON value per line, sent at the pace of the reader', async () => {
  async function* batches() {
    yield [{ n: 1 }, { n: 2 }]
    yield []
    yield [{ n: 3 }]
  }
  const { isEmpty, items } = await waitForFirst(encodeJsonLines(batches()))
  expect(isEmpty).toBe(false)
  const body = toBodyStream(items, (error) => expect.unreachable(String(error)))
  expect(await new Response(body).text()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
})

test('an error before the first item is thrown, one after it breaks the body and is reported', async () => {
  async function* failing(itemsBefore: number) {
    for (let index = 0; index < itemsBefore; index += 1) yield Uint8Array.of(1)
    throw new Error('store failed')
  }
  await expect(waitForFirst(failing(0))).rejects.toThrow('store failed')
  const failures: unknown[] = []
  const { items } = await waitForFirst(failing(1))
  await expect(new Response(toBodyStream(items, (error) => failures.push(error))).text()).rejects.toThrow('interrupted')
  expect(failures).toEqual([new Error('store failed')])
})

test('a client that stops reading is disconnected, and the source is closed', async () => {
  let isSourceClosed = false
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(10)
    } finally {
      isSourceClosed = true
    }
  }
  const reader = toBodyStream(endless(), () => undefined, 20).getReader()
  expect((await reader.read()).value).toHaveLength(10)
  await expect(reader.closed).rejects.toThrow('stopped reading')
  expect(isSourceClosed).toBe(true)
})

test('a client that pauses for less than the timeout gets everything', async () => {
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
