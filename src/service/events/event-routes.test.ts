import type { Server } from 'node:http'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createHttpServer } from '../http/http-server'
import { drain, listen } from '../listen'
import { QueueClient } from '../queues/testing/queue-client'
import { administrator, basic, openTestApp, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
let service: TestApp
let server: Server
let url = ''
beforeAll(async () => {
  service = await openTestApp({ maxInsertDelayMs: 10 })
  server = createHttpServer({ fetch: service.app.fetch, newId: () => 'id', logger: pino({ level: 'silent' }) })
  url = await listen(server, '127.0.0.1', 0)
})
afterAll(async () => {
  await drain(server, 0)
  await service.close()
})

const streams: AbortController[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort()
})

/** An open stream: the response, and the next events as `name` or `name id`. */
async function openEvents(headers: Record<string, string> = {}, project = project_id) {
  const stopping = new AbortController()
  streams.push(stopping)
  const response = await fetch(`${url}/events?project_id=${encodeURIComponent(project)}`, {
    headers: { authorization: basic(administrator), ...headers },
    signal: stopping.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let lastId = ''
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) return undefined
        text += value
        continue
      }
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId
      const event = /^event: (.*)$/m.exec(block)?.[1]
      if (event !== undefined) return event
    }
  }
  const nextOf = async (count: number) => {
    const events: (string | undefined)[] = []
    for (let index = 0; index < count; index += 1) events.push(await next())
    return events
  }
  return { response, next, nextOf, close: () => stopping.abort(), lastId: () => lastId }
}

let callCount = 0
async function writeCall(project = project_id): Promise<void> {
  const id = (callCount += 1).toString(16).padStart(16, '0')
  const ids = { project_id: project, id, trace_id: id + id, turn_id: id, thread_id: 't' }
  const start = { ...ids, op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: {} }
  expect((await service.post('/call/start', { start })).status).toBe(200)
}
const writeQueue = () => service.post('/annotation_queues', { project_id, name: 'q', scorer_refs: [] })
const writePrice = () =>
  service.post('/cost/create', { project_id, costs: { m: { prompt_token_cost: 1, completion_token_cost: 1 } } })

test('a stream says that something of its project changed, and nothing of other projects', async () => {
  const events = await openEvents()
  expect(events.response.headers.get('content-type')).toBe('text/event-stream')
  expect(events.response.headers.get('content-encoding')).toBeNull()
  expect(await events.next()).toBe('ready')
  await writeCall('acme/other')
  await writeQueue()
  expect(await events.next()).toBe('queues')
  await writePrice()
  expect(await events.next()).toBe('costs')
  await writeCall()
  expect(await events.nextOf(2)).toEqual(['threads', 'costs'])
  await service.post('/budget/update', { project_id, amount: '5' })
  expect(await events.next()).toBe('costs')
})

test('a stream says that something in a queue changed: an item, a lease, a mark or an answer', async () => {
  const project = 'acme/reviewed'
  const client = new QueueClient(service, project)
  const spec = await client.createSpec('good', { type: 'boolean' })
  const queueId = await client.createQueue()
  const [callId = ''] = await client.writeCalls(1)
  const events = await openEvents({}, project)
  expect(await events.next()).toBe('ready')
  await client.add(queueId, [callId])
  expect(await events.next()).toBe('queues')
  const { item } = await client.next(queueId, administrator)
  expect(await events.next()).toBe('queues')
  await client.answer(queueId, callId, spec, true, administrator)
  expect(await events.next()).toBe('queues')
  await client.mark(queueId, item?.id ?? '', 'completed', administrator)
  expect(await events.next()).toBe('queues')
})

test('who comes back with the last id is told what changed meanwhile, and only that', async () => {
  const first = await openEvents()
  await first.next()
  first.close()
  const quiet = await openEvents({ 'last-event-id': first.lastId() })
  expect(await quiet.next()).toBe('ready')
  quiet.close()
  await writeQueue()
  const second = await openEvents({ 'last-event-id': first.lastId() })
  expect(await second.nextOf(2)).toEqual(['ready', 'queues'])
  second.close()
  await writeCall()
  const third = await openEvents({ 'last-event-id': second.lastId() })
  expect(await third.nextOf(3)).toEqual(['ready', 'threads', 'costs'])
  const unreadable = await openEvents({ 'last-event-id': 'what?' })
  expect(await unreadable.nextOf(4)).toEqual(['ready', 'threads', 'queues', 'costs'])
})

test('a stream needs a user who may see the project, as every operation does', async () => {
  const statusOf = async (headers: Record<string, string>, project = project_id) =>
    (await openEvents(headers, project)).response.status
  expect(await statusOf({ authorization: '' })).toBe(401)
  expect(await statusOf({ authorization: basic(reviewer) }, 'acme/other')).toBe(403)
  expect(await statusOf({ authorization: basic(reviewer) })).toBe(200)
  expect(await statusOf({}, 'no-project')).toBe(422)
  const { response } = await openEvents({ origin: 'http://localhost:5173' })
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
})

test('a session is enough, for a page of the service itself', async () => {
  const signIn = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: administrator.username, password: administrator.password, is_remembered: false }),
  })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const open = (headers: Record<string, string>) =>
    fetch(`${url}/events?project_id=${project_id}`, { headers: { cookie, ...headers }, signal: AbortSignal.timeout(5000) })
  expect((await open({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const own = await open({ 'sec-fetch-site': 'same-origin' })
  expect(own.status).toBe(200)
  await own.body?.cancel()
})

test('HEAD opens no stream', async () => {
  const response = await fetch(`${url}/events?project_id=${project_id}`, {
    method: 'HEAD',
    headers: { authorization: basic(administrator) },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
})

test('when the service stops, streams end at once and new ones are refused', async () => {
  // Its own: after an aborted request, fetch opens a connection ahead, which a server that stops waits for.
  const own = createHttpServer({ fetch: service.app.fetch, newId: () => 'id', logger: pino({ level: 'silent' }) })
  const ownUrl = await listen(own, '127.0.0.1', 0)
  const open = () => fetch(`${ownUrl}/events?project_id=a/b`, { headers: { authorization: basic(administrator) } })
  const stream = await open()
  service.events.close()
  expect(await stream.text()).toMatch(/^retry: \d+\n\n/)
  expect((await open()).status).toBe(503)
  const startMs = performance.now()
  await drain(own, 5000)
  expect(performance.now() - startMs).toBeLessThan(1000)
})
