import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { BodyParts } from './body-parts'
import type { HttpEnv } from './http-env'
import { HttpError } from './http-error'
import { type BodyLimits, maxBodyBytes, maxQueryBodyBytes, readBody } from './read-body'

const pace = { checkMs: 20, maxIdleChecks: 4, windowChecks: 6, minWindowBytes: 600 }

/** Reads a body that arrives as `incoming` does. */
async function readResult(incoming: Readable, limits: Partial<BodyLimits> = {}, headers: Record<string, string> = {}) {
  const app = new Hono<HttpEnv>()
  let result: BodyParts | HttpError | undefined
  app.post('/', async (c) => {
    result = await readBody(c, { maxBytes: 1000, reserve: () => undefined, pace, ...limits }).catch((error: unknown) => {
      if (error instanceof HttpError) return error
      throw error
    })
    return c.body(null)
  })
  const env = { incoming } as unknown as HttpEnv['Bindings'] // a stream is all that is read of it
  await app.request('/', { method: 'POST', headers }, env)
  return result
}

/** Its text, or the type of the problem. */
async function read(...input: Parameters<typeof readResult>) {
  const result = await readResult(...input)
  return result instanceof BodyParts ? Buffer.from(result.join()).toString() : result?.problems[0]?.type
}

async function* every(ms: number, count: number, chunk: string) {
  for (let index = 0; index < count; index += 1) {
    yield Buffer.from(chunk)
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}
function stalling(chunk: string): Readable {
  const stream = new Readable({ read: () => undefined })
  stream.push(Buffer.from(chunk))
  return stream
}

test('a body is read whole, in whatever pieces it arrives', async () => {
  expect(await read(Readable.from([Buffer.from('hel'), Buffer.from('lo')]))).toBe('hello')
  expect(await read(Readable.from([]))).toBe('')
})

test('memory is reserved for bytes that arrived, not for the length that is declared', async () => {
  const reserved: number[] = []
  const reserve = (bytes: number) => void reserved.push(bytes)
  const headers = { 'content-length': '1000' }
  expect(await read(stalling('abc'), { reserve }, headers)).toBe('request_timeout')
  expect(reserved).toEqual([3])
})

test('a body that stalls or drips is ended, one that is slow but moves is not', async () => {
  expect(await read(stalling(''))).toBe('request_timeout')
  expect(await read(Readable.from(every(5, 1000, 'x')))).toBe('request_timeout')
  const slow = await read(Readable.from(every(15, 30, 'x'.repeat(500))), { maxBytes: 100_000 })
  expect(slow).toHaveLength(15_000)
})

test('a client is not blamed for a process that stood still', async () => {
  const incoming = new Readable({ read: () => undefined })
  const reading = read(incoming)
  incoming.push(Buffer.from('before '))
  await new Promise((resolve) => setTimeout(resolve, 30))
  const until = performance.now() + 300
  while (performance.now() < until);
  incoming.push(Buffer.from('after'))
  incoming.push(null)
  expect(await reading).toBe('before after')
})

test('a connection that closes early ends the reading', async () => {
  const early = stalling('abc')
  const reading = read(early)
  setTimeout(() => early.destroy(), 10)
  expect(await reading).toBe('incomplete_body')
  expect(await read(early)).toBe('incomplete_body')
  const reset = stalling(gzipSync('abc').subarray(0, 10).toString('latin1'))
  const inflating = read(reset, {}, { 'content-encoding': 'gzip' })
  setTimeout(() => reset.destroy(new Error('ECONNRESET')), 10)
  expect(await inflating).toMatch(/incomplete_body|decompression_error/)
})

test('a body that becomes too large stops there, and the rest stays unread', async () => {
  let sentCount = 0
  async function* endless() {
    for (;;) {
      sentCount += 1
      yield Buffer.alloc(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const incoming = Readable.from(endless(), { highWaterMark: 1 })
  expect(await read(incoming)).toBe('body_too_large')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sentCount).toBeLessThan(20)
  expect(incoming.destroyed).toBe(false)
})

test('a million chunks of one byte take little more than a megabyte', () => {
  const parts = new BodyParts()
  for (let index = 0; index < 1_000_000; index += 1) parts.add(Buffer.from([index % 251]))
  expect([...parts].length).toBeLessThan(3000)
  const bytes = parts.join()
  expect(bytes).toHaveLength(1_000_000)
  expect([bytes[0], bytes[250], bytes[999_999]]).toEqual([0, 250, 999_999 % 251])
})

test.each([
  [maxBodyBytes, 'The body is larger than 32 MiB (after decompression, if it is compressed). Send it in parts.'],
  [maxQueryBodyBytes, 'The body is larger than 1 MiB (after decompression, if it is compressed). Send fewer or shorter values.'],
])('what is larger than %i bytes is refused with advice that can be followed', async (maxBytes, msg) => {
  const result = await readResult(Readable.from([]), { maxBytes }, { 'content-length': String(maxBytes + 1) })
  expect(result).toMatchObject({ problems: [{ msg }] })
})
