import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../contract/calls'
import { openTestApp, parseJsonLines, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

let callCount = 0
async function startCall(inputs: object): Promise<string> {
  callCount += 1
  const id = String(callCount).padStart(16, '0')
  const start = { project_id, id, trace_id: id + id, op_name: 'answer', attributes: {}, inputs }
  const response = await service.post('/call/start', { start: { ...start, started_at: '2026-01-01T00:00:00Z' } })
  expect(response.status).toBe(200)
  return id
}

async function createObject(object_id: string, val: unknown, project = project_id): Promise<string> {
  const response = await service.post('/obj/create', { obj: { project_id: project, object_id, val } })
  const { digest } = (await response.json()) as { digest: string } // the service validates its responses by the contract
  return `weave:///${project}/object/${object_id}:${digest}`
}

async function read(call_ids: string[], more: object): Promise<Call[]> {
  const response = await service.post('/calls/stream_query', { project_id, filter: { call_ids }, ...more })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return parseJsonLines(text) as Call[]
}
const inputsOf = async (id: string, more: object) => (await read([id], more))[0]?.inputs

test('a reference in a call is replaced by the object that it names, which keeps its reference', async () => {
  const model = await createObject('model', { name: 'gpt' })
  const id = await startCall({ model, question: 'Why?' })
  expect(await inputsOf(id, { expand_columns: ['inputs.model'] })).toEqual({
    model: { name: 'gpt', _ref: model },
    question: 'Why?',
  })
  expect(await inputsOf(id, {})).toEqual({ model, question: 'Why?' })
  const expand = { expand_columns: ['inputs.model'], return_expanded_column_values: false }
  expect(await inputsOf(id, expand)).toEqual({ model, question: 'Why?' })
})

test('a path may lead through several references, named in any order', async () => {
  const prompt = await createObject('prompt', 'Answer shortly.')
  const model = await createObject('nested-model', { prompt, parts: [prompt, 1] })
  const id = await startCall({ self: model })
  const full = { self: { prompt: 'Answer shortly.', parts: ['Answer shortly.', 1], _ref: model } }
  expect(await inputsOf(id, { expand_columns: ['inputs.self.parts.0', 'inputs.self.prompt', 'inputs.self'] })).toEqual(full)
  expect(await inputsOf(id, { expand_columns: ['inputs.self.prompt'] })).toEqual({ self: model })
})

test('what leads to nothing, to another project or is no reference stays as it is', async () => {
  const secret = await createObject('secret', { key: 1 }, 'other/secret')
  const leads = await createObject('leads', { secret })
  const inputs = {
    gone: `weave:///${project_id}/object/gone:v0`,
    secret,
    text: 'weave:///',
    list: [],
    leads: `${leads}/attr/secret/attr/key`,
  }
  const id = await startCall(inputs)
  const paths = ['gone', 'secret', 'text', 'list', 'leads', 'missing.deep', '__proto__', 'text.length']
  expect(await inputsOf(id, { expand_columns: paths.map((path) => `inputs.${path}`) })).toEqual(inputs)
})

test('a whole column may be a reference, and columns that are not selected are left alone', async () => {
  const answer = await createObject('answer', { text: 'On its way.' })
  const id = await startCall({})
  const end = { project_id, id, ended_at: '2026-01-01T00:00:01Z', output: answer, summary: {} }
  await service.post('/call/end', { end })
  expect(await read([id], { expand_columns: ['output'] })).toMatchObject([{ output: { text: 'On its way.', _ref: answer } }])
  expect(await read([id], { expand_columns: ['output'], columns: ['inputs'] })).toMatchObject([{ inputs: {} }])
})

test('two calls with the same reference get the same value', async () => {
  const shared = await createObject('shared', { list: [1, 2] })
  const ids = [await startCall({ a: shared }), await startCall({ a: shared, b: shared })]
  const value = { list: [1, 2], _ref: shared }
  const calls = await read(ids, { expand_columns: ['inputs.a', 'inputs.b'] })
  expect(calls.map(({ inputs }) => inputs)).toEqual([{ a: value }, { a: value, b: value }])
})

test('queries and sorts read through references that are named, also where those are not returned', async () => {
  const prompt = await createObject('far-prompt', { text: 'Short.' })
  const models = [await createObject('rated', { rate: 2, prompt }), await createObject('rated', { rate: 10, list: [7] })]
  const call_ids: string[] = []
  for (const model of [...models, { rate: 5 }, 'no reference']) call_ids.push(await startCall({ rated: model }))
  const find = async (more: object) => {
    const filter = { call_ids, op_names: ['answer'] }
    const request = { project_id, filter, expand_columns: ['inputs.rated', 'inputs.rated.prompt'], ...more }
    const response = await service.post('/calls/stream_query', { ...request, return_expanded_column_values: false })
    const found = (parseJsonLines(await response.text()) as Call[]).map(({ id }) => call_ids.indexOf(id))
    return found
  }
  const compare = (name: string, literal: unknown) => ({
    $expr: { $gt: [{ $getField: `inputs.${name}` }, { $literal: literal }] },
  })
  expect(await find({ query: compare('rated.rate', 4) })).toEqual([1, 2])
  expect(await find({ query: compare('rated.prompt.text', 'S') })).toEqual([0])
  expect(await find({ query: compare('rated.list.0', 6) })).toEqual([1])
  expect(await find({ query: compare('rated.rate', 4), expand_columns: [] })).toEqual([2])
  expect(await find({ sort_by: [{ field: 'inputs.rated.rate', direction: 'desc' }] })).toEqual([1, 2, 0, 3])
  const stats = { project_id, filter: { call_ids }, query: compare('rated.rate', 4) }
  const count = await service.post('/calls/query_stats', { ...stats, expand_columns: ['inputs.rated'] })
  expect(await count.json()).toEqual({ count: 2 })
})

test('references in very large columns, and to very large objects, stay as they are', async () => {
  const text = 'x'.repeat(4 * 1024 * 1024)
  const [large, small] = [await createObject('large', { text }), await createObject('small', { n: 1 })]
  const ids = [await startCall({ a: small, text }), await startCall({ a: large })]
  const calls = await read(ids, { expand_columns: ['inputs.a'] })
  expect(calls.map(({ inputs }) => (inputs as { a: unknown }).a)).toEqual([small, large])
})

test('a path that can hold no reference is rejected', async () => {
  const response = await service.post('/calls/stream_query', { project_id, expand_columns: ['inputs.a', 'op_name'] })
  expect(response.status).toBe(422)
  const { detail } = (await response.json()) as { detail: object[] }
  expect(detail).toMatchObject([{ loc: ['body', 'expand_columns', '1'], type: 'value_error' }])
})

test('a call is read with the feedback for it, newest first, and an empty list where it has none', async () => {
  const [first, second] = [await startCall({}), await startCall({})]
  const give = async (ref: string, note: string) => {
    const request = { project_id, weave_ref: `weave:///${project_id}/${ref}`, feedback_type: 'note', payload: { note } }
    expect((await service.post('/feedback/create', request)).status).toBe(200)
    service.clock.offsetMs += 1000
  }
  await give(`call/${first}`, 'one')
  await give(`call/${first}`, 'two')
  await give(`object/${first}:v0`, 'about an object')
  const calls = await read([first, second], { include_feedback: true, columns: ['id'] })
  const feedback = calls.map((call) => call.summary?.weave.feedback)
  expect(feedback).toEqual([
    [
      expect.objectContaining({ payload: { note: 'two' }, weave_ref: `weave:///${project_id}/call/${first}` }),
      expect.objectContaining({ payload: { note: 'one' }, feedback_type: 'note', wb_user_id: 'admin' }),
    ],
    [],
  ])
  const query = await service.post('/feedback/query', { project_id, limit: 3 })
  const { result } = (await query.json()) as { result: object[] }
  expect(feedback[0]).toEqual(result.slice(1))
  expect((await read([first], {}))[0]?.summary?.weave).not.toHaveProperty('feedback')
})
