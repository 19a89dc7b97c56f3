import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { maxRangeLength } from '../../contract/limits'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
const id = 'a'.repeat(16)
const running = 'b'.repeat(16)
const output = { text: 'é😀"\n', list: [1, 2] }
const outputText = JSON.stringify(output)
const characters = Array.from(outputText)

let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  const start = { project_id, trace_id: 'c'.repeat(32), op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {} }
  const usage = { m: { requests: 1, prompt_tokens: 10, completion_tokens: 1 } }
  const batch = [
    { mode: 'start', req: { start: { ...start, id, inputs: { question: 'Why?' }, thread_id: 't', turn_id: id } } },
    {
      mode: 'end',
      req: { end: { project_id, id, ended_at: '2026-01-01T00:00:01Z', output, summary: { usage, weave: { own: 1 } } } },
    },
    { mode: 'start', req: { start: { ...start, id: running, inputs: {} } } },
  ]
  expect((await service.post('/call/upsert_batch', { batch })).status).toBe(200)
  await service.post('/cost/create', { project_id, costs: { m: { prompt_token_cost: 0.1, completion_token_cost: 1 } } })
})
afterAll(() => service.close())

const Reply = z.object({
  call: z.nullable(z.record(z.string(), z.unknown())),
  parts: z.optional(z.record(z.string(), z.unknown())),
})

async function read(fields: object, callId = id, project = project_id) {
  const response = await service.post('/call/read', { project_id: project, id: callId, ...fields })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return Reply.parse(JSON.parse(text))
}

test('with a range, a column comes as a part of its JSON text, with the length of the whole', async () => {
  const { call, parts } = await read({ fields: ['output'], range: [0, 13] })
  expect(parts).toEqual({ output: { text: characters.slice(0, 13).join(''), from: 0, to: 13, length: characters.length } })
  expect(call).toMatchObject({ id, op_name: 'answer', thread_id: 't', turn_id: id, ended_at: '2026-01-01T00:00:01Z', inputs: {} })
  expect(call).not.toHaveProperty('output')
  expect(call?.['summary']).toEqual({ weave: { status: 'success', latency_ms: 1000, trace_name: 'answer' } })
})

test('pieces of any size make the whole text, and none cuts a character in two', async () => {
  for (const size of [1, 7, 1000]) {
    let text = ''
    for (let from = 0; from < characters.length; from += size) {
      const { parts } = await read({ fields: ['output'], range: [from, from + size] })
      const part = z.object({ text: z.string(), from: z.number(), to: z.number() }).parse(parts?.['output'])
      expect(part.to).toBe(Math.min(from + size, characters.length))
      text += part.text
    }
    expect(text).toBe(outputText)
  }
})

test('without fields all columns come, also the client’s own summary; costs are beside them', async () => {
  const { call, parts } = await read({ range: [0, 1000], include_costs: true })
  expect(Object.keys(parts ?? {})).toEqual(['attributes', 'inputs', 'output', 'summary'])
  expect(parts?.['inputs']).toMatchObject({ text: '{"question":"Why?"}', length: 19 })
  expect(parts?.['summary']).toMatchObject({ text: expect.stringContaining('"own":1') })
  expect(call?.['summary']).toMatchObject({ weave: { costs: { m: { prompt_tokens_total_cost: 1 } } } })
})

test('a value that is not there is null; a range beyond the end is empty and tells the length', async () => {
  expect((await read({ fields: ['output'], range: [0, 10] }, running)).parts).toEqual({ output: null })
  const { length } = characters
  expect((await read({ fields: ['output'], range: [length, length + 5] })).parts).toEqual({
    output: { text: '', from: length, to: length, length },
  })
  expect((await read({ fields: ['output'], range: [0, 0] })).parts).toEqual({ output: { text: '', from: 0, to: 0, length } })
})

test('fields without a range choose columns; without both the reply is as it was', async () => {
  const { call, parts } = await read({ fields: ['output'] })
  expect(parts).toBeUndefined()
  expect(call).toMatchObject({ output, inputs: {} })
  expect(call).not.toHaveProperty('summary')
  const whole = await read({ unknown: 1, fields: null, range: null })
  expect(whole).toMatchObject({ call: { output, inputs: { question: 'Why?' }, summary: { weave: { own: 1 } } } })
  expect(whole).not.toHaveProperty('parts')
})

test.each<[object, string[], string]>([
  [{ fields: ['op_name'], range: [0, 1] }, ['body', 'fields', '0'], 'literal_error'],
  [{ fields: 'output' }, ['body', 'fields'], 'list_type'],
  [{ range: [0] }, ['body', 'range'], 'value_error'],
  [{ range: [0, 1, 2] }, ['body', 'range'], 'value_error'],
  [{ range: [2, 1] }, ['body', 'range'], 'value_error'],
  [{ range: [0, maxRangeLength + 1] }, ['body', 'range'], 'value_error'],
  [{ range: [0, null] }, ['body', 'range'], 'value_error'],
  [{ range: ['0', 1] }, ['body', 'range', '0'], 'int_parsing'],
  [{ range: [-1, 1] }, ['body', 'range', '0'], 'greater_than_equal'],
  [{ range: 5 }, ['body', 'range'], 'list_type'],
])('%j is refused with its place', async (fields, loc, type) => {
  const response = await service.post('/call/read', { project_id, id, ...fields })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: [{ loc, type }] })
})

test('another project sees nothing, and nobody reads where they may not', async () => {
  expect(await read({ range: [0, 100] }, id, 'acme/other')).toEqual({ call: null })
  expect(await read({ range: [0, 100] }, 'f'.repeat(16))).toEqual({ call: null })
  const response = await service.post('/call/read', { project_id: 'acme/other', id, range: [0, 100] }, reviewer)
  expect(response.status).toBe(403)
})
