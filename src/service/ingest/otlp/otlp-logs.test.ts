import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openTestApp, parseJsonLines, reviewer, type TestApp } from '../../testing/test-app'
import { type AnyValue, type OtlpLogRecord, type OtlpLogsRequest, toLogsProtobuf } from './testing/to-protobuf'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const startNano = 1_790_000_000_000_000_000n
const traceId = 'ab'.repeat(16)
const spanId = 'cd'.repeat(8)

const map = (entries: Record<string, string>): AnyValue => ({
  kvlistValue: { values: Object.entries(entries).map(([key, stringValue]) => ({ key, value: { stringValue } })) },
})
const record = (eventName: string, afterMs: number, body: AnyValue, more: Partial<OtlpLogRecord> = {}): OtlpLogRecord => ({
  timeUnixNano: String(startNano + BigInt(afterMs) * 1_000_000n),
  traceId,
  spanId,
  eventName,
  body,
  ...more,
})
const toRequest = (logRecords: OtlpLogRecord[]): OtlpLogsRequest => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })

type Options = { path?: string; user?: { username: string; password: string } }

async function sendLogs(projectId: string | null, records: OtlpLogRecord[], { path = '/otel/v1/logs', user }: Options = {}) {
  const project = projectId === null ? {} : { project_id: projectId }
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip', ...project }
  return await service.send(path, { method: 'POST', headers, body: gzipSync(toLogsProtobuf(toRequest(records))) }, user)
}

async function sendJson(projectId: string, records: OtlpLogRecord[]) {
  const headers = { 'content-type': 'application/json', project_id: projectId }
  return await service.send('/v1/logs', { method: 'POST', headers, body: JSON.stringify(toRequest(records)) })
}

async function sendSpan(projectId: string, attributes: { key: string; value: AnyValue }[] = []) {
  const span = {
    traceId,
    spanId,
    name: 'chat',
    startTimeUnixNano: String(startNano),
    endTimeUnixNano: String(startNano),
    attributes,
  }
  const headers = { 'content-type': 'application/json', project_id: projectId }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  expect((await service.send('/otel/v1/traces', { method: 'POST', headers, body })).status).toBe(200)
}

const ReadCall = z.object({ id: z.string(), inputs: z.unknown(), output: z.unknown() })

async function readCalls(projectId: string) {
  const response = await service.post('/calls/stream_query', { project_id: projectId })
  return parseJsonLines(await response.text()).map((line) => z.parse(ReadCall, line))
}

const system = record('gen_ai.system.message', 0, map({ content: 'be kind' }))
const question = record('gen_ai.user.message', 1, map({ content: 'why?' }))
const choice = record('gen_ai.choice', 2, {
  kvlistValue: {
    values: [
      { key: 'index', value: { intValue: '0' } },
      { key: 'finish_reason', value: { stringValue: 'stop' } },
      { key: 'message', value: map({ role: 'assistant', content: 'so' }) },
    ],
  },
})
const inputs = {
  messages: [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'why?' },
  ],
}
const output = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'so' } }] }

test('a message with a number beyond 64 bits is returned with it, and its span is found by what is beside it', async () => {
  await sendSpan('acme/numbers')
  const body = {
    kvlistValue: {
      values: [
        { key: 'content', value: { stringValue: 'why?' } },
        { key: 'number', value: { doubleValue: 1e20 } },
      ],
    },
  }
  expect((await sendLogs('acme/numbers', [record('gen_ai.user.message', 1, body)])).status).toBe(200)
  const query = { $expr: { $contains: { input: { $getField: 'inputs.messages' }, substr: { $literal: 'why?' } } } }
  const response = await service.post('/calls/stream_query', { project_id: 'acme/numbers', query })
  expect(parseJsonLines(await response.text())).toMatchObject([
    { id: spanId, inputs: { messages: [{ role: 'user', content: 'why?', number: 1e20 }] } },
  ])
})

test('messages that arrive as log records are the inputs and the output of their span', async () => {
  await sendSpan('acme/logs')
  const response = await sendLogs('acme/logs', [system, question, choice])
  expect(response.status).toBe(200)
  expect((await response.arrayBuffer()).byteLength).toBe(0)
  expect(await readCalls('acme/logs')).toEqual([{ id: spanId, inputs, output }])
})

test('messages may come in any order and batches, repeated, and before their span', async () => {
  const projectId = 'acme/log-order'
  for (const batch of [[choice], [question], [choice, question], [system], [question]]) {
    expect((await sendLogs(projectId, batch)).status).toBe(200)
  }
  expect(await readCalls(projectId)).toEqual([])
  await sendSpan(projectId)
  expect(await readCalls(projectId)).toEqual([{ id: spanId, inputs, output }])
  await sendLogs(projectId, [question])
  await sendSpan(projectId)
  expect(await readCalls(projectId)).toEqual([{ id: spanId, inputs, output }])
})

test('messages of batches that arrive at the same time all appear', async () => {
  const projectId = 'acme/log-race'
  await sendSpan(projectId)
  const contents = Array.from({ length: 12 }, (_, index) => `message ${index}`)
  await Promise.all(
    contents.map((content, index) => sendLogs(projectId, [record('gen_ai.user.message', index, { stringValue: content })])),
  )
  expect(await readCalls(projectId)).toMatchObject([
    { inputs: { messages: contents.map((content) => ({ role: 'user', content })) } },
  ])
})

test('JSON gives the same, and messages of the same time keep the order of their request', async () => {
  const contents = ['third', 'first', 'second']
  const records = contents.map((content) => record('gen_ai.user.message', 0, { stringValue: content }))
  expect((await sendJson('acme/log-json', records)).status).toBe(200)
  await sendSpan('acme/log-json')
  expect(await readCalls('acme/log-json')).toMatchObject([
    { inputs: { messages: contents.map((content) => ({ role: 'user', content })) }, output: null },
  ])
})

test('the name of an event may be an attribute, and its time the one at which it was observed', async () => {
  const named = (name: string, observed: bigint, content: string): OtlpLogRecord => ({
    traceId,
    spanId,
    observedTimeUnixNano: String(observed),
    attributes: [
      { key: 'event.name', value: { stringValue: name } },
      { key: 'gen_ai.system', value: { stringValue: 'openai' } },
      { key: 'content', value: { stringValue: content } },
    ],
  })
  await sendLogs('acme/log-names', [
    named('gen_ai.assistant.message', startNano + 2n, 'two'),
    named('gen_ai.user.message', startNano + 1n, 'one'),
  ])
  await sendSpan('acme/log-names')
  expect(await readCalls('acme/log-names')).toMatchObject([
    {
      inputs: {
        messages: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'two' },
        ],
      },
    },
  ])
})

test('one event with all details is the inputs and the output as they were sent', async () => {
  const details = record(
    'gen_ai.client.inference.operation.details',
    0,
    {},
    {
      attributes: [
        { key: 'gen_ai.input.messages', value: { arrayValue: { values: [map({ role: 'user' })] } } },
        { key: 'gen_ai.output.messages', value: { stringValue: '[{"role":"assistant"}]' } },
      ],
    },
  )
  await sendLogs('acme/log-details', [details])
  await sendSpan('acme/log-details')
  expect(await readCalls('acme/log-details')).toMatchObject([
    { inputs: { 'gen_ai.input.messages': [{ role: 'user' }] }, output: { 'gen_ai.output.messages': [{ role: 'assistant' }] } },
  ])
})

test('what a span says itself counts before its log records', async () => {
  await sendLogs('acme/log-both', [question, choice])
  await sendSpan('acme/log-both', [{ key: 'input.value', value: { stringValue: 'mine' } }])
  expect(await readCalls('acme/log-both')).toMatchObject([{ inputs: { 'input.value': 'mine' }, output }])
})

test('other records are accepted, dropped and counted for administrators', async () => {
  const countDropped = async () => {
    const { dropped_log_record_count: count } = (await (await service.send('/calls/refused')).json()) as {
      dropped_log_record_count: number
    }
    return count
  }
  const before = await countDropped()
  const records = [
    record('', 0, { stringValue: 'GET /' }),
    record('app.click', 0, { stringValue: 'x' }),
    record('gen_ai.user.message', 0, { stringValue: 'of no span' }, { spanId: '', traceId: '' }),
  ]
  // They name no project, which is no error either.
  const response = await sendLogs(null, records)
  expect(response.status).toBe(200)
  expect((await response.arrayBuffer()).byteLength).toBe(0)
  expect(await countDropped()).toBe(before + 3)
})

test('messages that cannot be stored are reported, and their neighbours are stored', async () => {
  const projectId = 'acme/log-partial'
  const tooLate = { ...question, timeUnixNano: '99999999999999999999' }
  expect((await sendJson(projectId, [tooLate])).status).toBe(422)
  const response = await sendJson(projectId, [question, { ...question, spanId: 'abc' }])
  expect(await response.json()).toEqual({
    partialSuccess: {
      rejectedLogRecords: '1',
      errorMessage:
        "1 of 2 log records were not stored. 'span_id' must be 8 bytes (in JSON 16 hex digits), not all zero. (resource_logs[0].scope_logs[0].log_records[1])",
    },
  })
  await sendSpan(projectId)
  expect(await readCalls(projectId)).toMatchObject([{ inputs: { messages: [{ content: 'why?' }] } }])
})

test('a project without access and too many records are refused', async () => {
  expect((await sendLogs('acme/secret', [question], { user: reviewer })).status).toBe(403)
  const many = Array.from({ length: 100_001 }, () => ({}))
  const response = await sendJson('acme/logs', many)
  expect(response.status).toBe(422)
  expect(await response.text()).toContain('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE')
})

test('a span with thousands of messages shows the first ones and counts the others', async () => {
  const projectId = 'acme/log-many'
  const records = Array.from({ length: 2100 }, (_, index) =>
    record('gen_ai.user.message', index, { stringValue: `message ${index}` }),
  )
  expect((await sendLogs(projectId, records)).status).toBe(200)
  await sendSpan(projectId)
  const [call] = await readCalls(projectId)
  const read = call?.inputs as { messages: { content: string }[]; omitted_count: number }
  expect(read.messages.map(({ content }) => content)).toEqual(Array.from({ length: 2000 }, (_, index) => `message ${index}`))
  expect(read.omitted_count).toBe(100)
})
