import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../create-logger'
import { BodyParts } from '../body-parts'
import { createInPlacePreparer } from './in-place-preparer'
import type { WorkerRequest } from './messages'
import { forEachPart, preparation, type Preparation, readResult } from './preparation'
import { WorkerPreparer, type WorkerPreparerLimits } from './worker-preparer'

type Part = { index: number; bytes: Uint8Array }
type End = { threadId: number; length: number }

// The worker has preparations of these names. In place they would fail.
const unreachable = (): never => {
  throw new Error('prepared in place')
}
const countParts: Preparation<{ parts: number }, Part, End> = { name: 'count', prepare: unreachable }
const crash = preparation<unknown, never>('crash', unreachable)
const refuse = preparation<unknown, never>('refuse', unreachable)
const wait = preparation<{ ms: number }, { threadId: number }>('wait', unreachable)

const opened: WorkerPreparer[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const preparer of opened.splice(0)) await preparer.close()
})

function openPreparer(limits: Partial<WorkerPreparerLimits> = {}, workerCount = 1) {
  const log: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  const preparer = new WorkerPreparer({
    workerUrl: new URL('./testing/echo-worker.mjs', import.meta.url),
    workerCount,
    inPlace: createInPlacePreparer({ newId: () => 'id' }),
    logger: createLogger({ level: 'error', isTerminal: false, destination }),
    limits,
  })
  opened.push(preparer)
  return { preparer, log }
}

const largeBody = () => BodyParts.of(new Uint8Array(100_000))
const optionsOf = (username: string, signal = new AbortController().signal) => ({ user: { username }, signal })

test('a large body is prepared in another thread, part by part; a small one in place', async () => {
  const { preparer } = openPreparer()
  const body = largeBody()
  const indexes: number[] = []
  const end = await forEachPart(preparer.prepare(countParts, body, { parts: 3 }, optionsOf('kim')), async (part) => {
    indexes.push(part.index)
  })
  expect({ indexes, end }).toEqual({ indexes: [0, 1, 2], end: { threadId: expect.any(Number), length: 100_000 } })
  expect(end.threadId).toBeGreaterThan(0)
  const inPlace = preparation('length', (bytes) => bytes.length)
  expect(await readResult(preparer.prepare(inPlace, BodyParts.of(new Uint8Array(10)), {}, optionsOf('kim')))).toBe(10)
})

test('a large body is handed over in pieces, between which the event loop serves others', async () => {
  const { preparer } = openPreparer()
  const mebibyte = 1024 * 1024
  const shared = new Uint8Array(32 * mebibyte)
  const body = BodyParts.of(shared.subarray(0, 16 * mebibyte), ...Array.from({ length: 256 }, () => new Uint8Array(64 * 1024)))
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const sentAtTurns = new Set<number>()
  const counting = setInterval(() => sentAtTurns.add(post.mock.calls.length))
  const end = await forEachPart(preparer.prepare(countParts, body, { parts: 0 }, optionsOf('kim')), async () => {})
  clearInterval(counting)
  expect(end).toMatchObject({ length: 32 * mebibyte })
  const messages = post.mock.calls.map(([message]) => message as WorkerRequest) // the only messages to a worker
  const pieces = messages.flatMap((message) => (message.type === 'body' ? [message.part] : []))
  expect(Math.max(...pieces.map(({ buffer }) => buffer.byteLength))).toBeLessThanOrEqual(256 * 1024)
  expect([...sentAtTurns].some((count) => count > 0 && count < pieces.length)).toBe(true)
})

test('a client that disconnects while its body is handed over frees the thread', async () => {
  const { preparer } = openPreparer()
  const client = new AbortController()
  const body = BodyParts.of(new Uint8Array(64 * 1024 * 1024))
  const aborted = readResult(preparer.prepare(wait, body, { ms: 1 }, optionsOf('kim', client.signal)))
  setImmediate(() => client.abort())
  await expect(aborted).rejects.toMatchObject({ problems: [{ type: 'aborted' }] })
  const next = await readResult(preparer.prepare(wait, largeBody(), { ms: 1 }, optionsOf('lee')))
  expect(next).toMatchObject({ threadId: expect.any(Number) })
})

test('an error of the preparation is the error of the caller', async () => {
  const { preparer } = openPreparer()
  await expect(readResult(preparer.prepare(refuse, largeBody(), {}, optionsOf('kim')))).rejects.toMatchObject({
    name: 'HttpError',
    kind: 'invalid',
    problems: [{ loc: ['body'], msg: 'No.', type: 'value_error' }],
  })
})

test('when a thread ends, the request that it worked on gets 503, and the next request gets a new thread', async () => {
  const { preparer, log } = openPreparer()
  const beside = readResult(preparer.prepare(wait, largeBody(), { ms: 100 }, optionsOf('lee')))
  const crashed = readResult(preparer.prepare(crash, largeBody(), {}, optionsOf('kim')))
  await expect(crashed).rejects.toMatchObject({ kind: 'unavailable', headers: { 'retry-after': '1' } })
  await beside.catch(() => undefined)
  expect(log).toMatchObject([{ msg: 'a worker thread ended', exitCode: 7 }])
  const steps = preparer.prepare(countParts, largeBody(), { parts: 1 }, optionsOf('kim'))
  expect(await forEachPart(steps, async () => {})).toMatchObject({ length: 100_000 })
})

test('a thread that does not respond is ended', async () => {
  const { preparer, log } = openPreparer({ maxStepMs: 300 })
  const stalled = readResult(preparer.prepare(wait, largeBody(), { ms: 60_000 }, optionsOf('kim')))
  await expect(stalled).rejects.toMatchObject({ kind: 'invalid', problems: [{ type: 'too_slow' }] })
  expect(log.map(({ msg }) => msg)).toEqual(['a worker thread did not respond', 'a worker thread ended'])
})

test('a request that ends the thread fails alone: others are run again, without the parts that they had', async () => {
  const { preparer } = openPreparer({ maxStepMs: 2000 })
  const halfway = preparer.prepare(countParts, largeBody(), { parts: 4 }, optionsOf('lee'))
  const indexes = [(await halfway.next()).value, (await halfway.next()).value]
  const stalled = readResult(preparer.prepare(wait, largeBody(), { ms: 60_000 }, optionsOf('kim')))
  const waiting = readResult(preparer.prepare(wait, largeBody(), { ms: 1 }, optionsOf('kim')))
  await expect(stalled).rejects.toMatchObject({ kind: 'invalid' })
  expect(await waiting).toMatchObject({ threadId: expect.any(Number) })
  const end = await forEachPart(halfway, async (part) => void indexes.push(part))
  expect(indexes).toMatchObject([{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }])
  expect(end).toMatchObject({ length: 100_000 })
})

test('users take turns: the large bodies of one do not hold up another', async () => {
  const { preparer } = openPreparer({ maxOpenJobs: 2, maxOpenJobsPerUser: 1 })
  const order: string[] = []
  const send = async (username: string, name: string) => {
    await readResult(preparer.prepare(wait, largeBody(), { ms: 20 }, optionsOf(username)))
    order.push(name)
  }
  await Promise.all([...Array.from({ length: 8 }, (_, index) => send('kim', `kim ${index}`)), send('lee', 'lee')])
  expect(order.indexOf('lee')).toBeLessThan(3)
  expect(order.filter((name) => name !== 'lee')).toEqual(Array.from({ length: 8 }, (_, index) => `kim ${index}`))
})

test('a user whose portions wait to be written holds no places of others', async () => {
  const { preparer } = openPreparer()
  const unread = Array.from({ length: 5 }, () => preparer.prepare(countParts, largeBody(), { parts: 5 }, optionsOf('kim')))
  const first = unread.map((steps) => steps.next())
  await first[0]
  await readResult(preparer.prepare(wait, largeBody(), { ms: 1 }, optionsOf('lee')))
  await unread[0]?.return({ threadId: 0, length: 0 })
  await unread[1]?.return({ threadId: 0, length: 0 })
  await first[2]
  // The end of the test ends the others.
  for (const step of first) step.catch(() => undefined)
})

test('too many waiting requests of a user get 429, a long wait 503, both with Retry-After', async () => {
  const { preparer } = openPreparer({ maxOpenJobsPerUser: 1, maxWaitingPerUser: 1, maxWaitMs: 100 })
  const send = () => readResult(preparer.prepare(wait, largeBody(), { ms: 500 }, optionsOf('kim')))
  const running = send()
  const waiting = send()
  await expect(send()).rejects.toMatchObject({ kind: 'too_many_requests', headers: { 'retry-after': '1' } })
  await expect(waiting).rejects.toMatchObject({ kind: 'unavailable', headers: { 'retry-after': '5' } })
  await running
})

test('a client that disconnects leaves the queue', async () => {
  const { preparer } = openPreparer({ maxOpenJobsPerUser: 1 })
  const running = readResult(preparer.prepare(wait, largeBody(), { ms: 200 }, optionsOf('kim')))
  const client = new AbortController()
  const waiting = readResult(preparer.prepare(wait, largeBody(), { ms: 1 }, optionsOf('kim', client.signal)))
  client.abort()
  await expect(waiting).rejects.toMatchObject({ problems: [{ type: 'aborted' }] })
  await running
})

test('a thread without work ends, and a closed preparer refuses', async () => {
  const { preparer, log } = openPreparer({ maxIdleMs: 20 })
  const run = () => forEachPart(preparer.prepare(countParts, largeBody(), { parts: 1 }, optionsOf('kim')), async () => {})
  const first = await run()
  await expect.poll(async () => (await run()).threadId).not.toBe(first.threadId)
  const pending = readResult(preparer.prepare(wait, largeBody(), { ms: 5000 }, optionsOf('kim')))
  pending.catch(() => undefined)
  await preparer.close()
  await expect(pending).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(run()).rejects.toMatchObject({ problems: [{ type: 'stopping' }] })
  expect(log).toEqual([])
})

test('several threads share the work', async () => {
  const { preparer } = openPreparer({}, 2)
  const ids = await Promise.all(
    Array.from({ length: 4 }, async () => readResult(preparer.prepare(wait, largeBody(), { ms: 50 }, optionsOf('kim')))),
  )
  expect(new Set(ids.map(({ threadId }) => threadId)).size).toBe(2)
})
