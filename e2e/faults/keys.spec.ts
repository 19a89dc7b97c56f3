import { expect, test } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

let service: SpoolService
let client: SpoolClient
test.beforeAll(async () => {
  service = await SpoolService.start({ SPOOL_SAMPLE: 'off', SPOOL_USERNAME: 'kim', SPOOL_PASSWORD: 'correct horse' })
  client = new SpoolClient(service.url, 'kim', 'correct horse')
})
test.afterAll(async () => {
  await service.stop()
})

const long = 'x'.repeat(25_000_000)
const toId = (number: number) => number.toString(16).padStart(16, '0')
const trace_id = 'ab'.repeat(16)

async function readThreadIds(project_id: string): Promise<unknown[]> {
  const threads = await client.postLines('/threads/stream_query', { project_id })
  return threads.map((thread) => thread['thread_id'])
}

fault('a call whose thread id has 25 MB', 'is refused alone; the threads of its project are derived', async () => {
  const project_id = 'keys/calls'
  const toPart = (number: number, thread_id: string) => {
    const ids = { id: toId(number), trace_id, turn_id: toId(number), thread_id }
    const start = { project_id, ...ids, op_name: 'answer', started_at: '2026-01-31T00:00:00Z', attributes: {}, inputs: {} }
    return { mode: 'start', req: { start } }
  }
  const response = await client.postJson('/call/upsert_batch', { batch: [toPart(1, long), toPart(2, 'short')] })
  expect(response).toMatchObject({
    res: [{ error: { loc: ['body', 'batch', '0', 'req', 'start', 'thread_id'], type: 'string_too_long' } }, { id: toId(2) }],
  })
  expect(await readThreadIds(project_id)).toEqual(['short'])
})

fault('a span whose session id has 25 MB', 'is rejected alone; the threads of its project are derived', async () => {
  const toSpan = (number: number, session: string) => ({
    traceId: trace_id,
    spanId: toId(number),
    name: 'chat',
    startTimeUnixNano: '1790000000000000000',
    attributes: [{ key: 'session.id', value: { stringValue: session } }],
  })
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [toSpan(1, long), toSpan(2, 'short')] }] }] }
  const response = await client.post('/v1/traces', body, { project_id: 'keys/spans' })
  expect(response.status).toBe(200)
  const { partialSuccess }: { partialSuccess: { rejectedSpans: string; errorMessage: string } } = await response.json()
  expect(partialSuccess.rejectedSpans).toBe('1')
  expect(partialSuccess.errorMessage).toContain('too long: at most 1,024 characters')
  expect(await readThreadIds('keys/spans')).toEqual(['short'])
})
