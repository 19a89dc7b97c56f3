import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EngineReply, EngineRequest } from './engine-messages'
import { serveEngine } from './serve-engine'

let folder = ''
let port: MessagePort
let hasEnded = false
let lastId = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-engine-'))
  writeFileSync(join(folder, 'engine.xml'), '<clickhouse></clickhouse>')
  const channel = new MessageChannel()
  port = channel.port1
  serveEngine(channel.port2, () => {
    hasEnded = true
    channel.port2.close()
  })
})
afterAll(() => {
  port.close()
  rmSync(folder, { recursive: true, force: true })
})

type WithoutId<Message> = Message extends { id: number } ? Omit<Message, 'id'> : never

async function request(message: WithoutId<EngineRequest>): Promise<EngineReply> {
  const id = (lastId += 1)
  port.postMessage({ ...message, id })
  for (;;) {
    const [reply] = (await once(port, 'message')) as [EngineReply] // serveEngine sends nothing else
    if (reply.id === id) return reply
  }
}

const open = (session: number) =>
  request({ type: 'open', session, files: { storeFolder: join(folder, 'store'), configPath: join(folder, 'engine.xml') } })
const textOf = (reply: EngineReply) => ('chunk' in reply && reply.chunk ? Buffer.from(reply.chunk).toString() : undefined)
const select = { session: 1, statement: 'SELECT {p1:String} AS value', params: { p1: 'it' } }

test('a session that was opened runs statements, and a stream begins with its first rows', async () => {
  expect(await open(1)).not.toHaveProperty('error')
  expect(textOf(await request({ type: 'stream', ...select }))).toBe('{"value":"it"}\n')
  expect(textOf(await request({ type: 'next', session: 1 }))).toBeUndefined()
  expect(textOf(await request({ type: 'collect', ...select }))).toBe('{"value":"it"}\n')
})

test('a statement with parameters does not wait for another one of another session', async () => {
  await open(2)
  const sleep = 'SELECT sleepEachRow(1) FROM numbers({p1:UInt64}) FORMAT Null'
  const replies: string[] = []
  const slow = request({ type: 'run', session: 1, statement: sleep, params: { p1: 3 } }).then(() => replies.push('slow'))
  await request({ type: 'run', session: 2, statement: sleep, params: { p1: 0 } }).then(() => replies.push('fast'))
  await slow
  expect(replies).toEqual(['fast', 'slow'])
})

test('a stream that is cancelled has no more rows, and its session runs the next statement', async () => {
  await request({ type: 'stream', session: 1, statement: 'SELECT number FROM numbers(100000000)', params: {} })
  port.postMessage({ type: 'cancel', session: 1 } satisfies EngineRequest)
  expect(textOf(await request({ type: 'next', session: 1 }))).toBeUndefined()
  await request({ type: 'run', session: 1, statement: 'SELECT 1', params: {} })
  expect(textOf(await request({ type: 'collect', ...select }))).toBe('{"value":"it"}\n')
})

test('a failure is a reply with the words of the engine, and so is a session that is not open', async () => {
  const unknown = { type: 'collect', session: 1, statement: 'SELECT nothing', params: {} } as const
  expect(await request(unknown)).toMatchObject({ error: { message: expect.stringContaining('Code: 47') as string } })
  expect(await request({ type: 'collect', ...select, session: 9 })).toMatchObject({
    error: { message: 'The engine has no session 9.' },
  })
})

test('the end comes after all replies', async () => {
  port.postMessage({ type: 'close', session: 1 } satisfies EngineRequest)
  expect(await request({ type: 'end' })).not.toHaveProperty('error')
  expect(hasEnded).toBe(true)
})
