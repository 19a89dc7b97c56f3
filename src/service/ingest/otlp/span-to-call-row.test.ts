import { expect, test } from 'vitest'
import { maxDisplayNameLength } from '../../../contract/limits'
import type { Json } from './attributes/attributes'
import { toRow } from './testing/to-row'
import type { Span, SpanEvent } from './trace-messages'

type Values = Record<string, Json>

const event = (name: string, attributes: Values): SpanEvent => ({
  name,
  timeUnixNano: 5n,
  attributes: new Map(Object.entries(attributes)),
})

test('a span of OpenTelemetry’s GenAI conventions is a call with inputs, output and usage', () => {
  expect(
    toRow({
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': '[{"role":"user"}]',
      'gen_ai.output.messages': '[{"role":"assistant"}]',
      'gen_ai.usage.input_tokens': 12,
    }),
  ).toMatchObject({
    id: 'cd'.repeat(8),
    trace_id: 'ab'.repeat(16),
    started_at: '2026-09-21T14:13:20Z',
    inputs: { 'gen_ai.input.messages': [{ role: 'user' }] },
    output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
    summary: { usage: { 'gpt-4o': { requests: 1, input_tokens: 12, total_tokens: 12 } } },
  })
})

test('JSON text with more values than a span may have stays text, in attributes and in events', () => {
  const many = `[${'[],'.repeat(60_000)}0]`
  const { inputs, output } = toRow({ 'input.value': many, 'output.value': many })
  expect(inputs).toEqual({ 'input.value': expect.any(Array) as unknown })
  expect(output).toEqual({ 'output.value': many })
  const messageEvents = [many, many].map((content) => event('gen_ai.user.message', { content }))
  const { messages: ofEvents } = toRow({}, { events: messageEvents }).inputs as { messages: { content: unknown }[] }
  expect(ofEvents.map(({ content }) => typeof content)).toEqual(['object', 'string'])
})

test('a span of Logfire is shown by its message, cut where it is very long, and grouped by its name, which is a template', () => {
  expect(toRow({ 'logfire.msg': 'order 7 sent' }, { name: 'order {id} sent' })).toMatchObject({
    op_name: 'order {id} sent',
    display_name: 'order 7 sent',
  })
  expect(toRow({ 'logfire.msg': 'same' }, { name: 'same' }).display_name).toBeUndefined()
  expect(toRow({ 'logfire.msg': '😀'.repeat(5000) }).display_name).toBe('😀'.repeat(maxDisplayNameLength))
})

test('JSON text with a number that no double holds stays text, so that the number is not lost', () => {
  expect(toRow({ 'input.value': '{"n":1e400}', 'output.value': '{"n":1e300,"id":"a1e400"}' })).toMatchObject({
    inputs: { 'input.value': '{"n":1e400}' },
    output: { 'output.value': { n: 1e300, id: 'a1e400' } },
  })
})

const messages = [{ role: 'user', parts: [{ type: 'text', content: 'why?' }] }]

test.each<{ convention: string; attributes: Values; events?: SpanEvent[]; inputs: unknown; output: unknown }>([
  {
    convention: 'current GenAI',
    attributes: {
      'gen_ai.system_instructions': '[{"type":"text","content":"be kind"}]',
      'gen_ai.input.messages': JSON.stringify(messages),
      'gen_ai.output.messages': '[{"role":"assistant"}]',
    },
    inputs: { 'gen_ai.system_instructions': [{ type: 'text', content: 'be kind' }], 'gen_ai.input.messages': messages },
    output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
  },
  {
    convention: 'current GenAI with lists and objects instead of text',
    attributes: { 'gen_ai.input.messages': messages, 'gen_ai.output.messages': [] },
    inputs: { 'gen_ai.input.messages': messages },
    output: { 'gen_ai.output.messages': [] },
  },
  {
    convention: 'current GenAI for a tool',
    attributes: { 'gen_ai.tool.call.arguments': '{"n":1}', 'gen_ai.tool.call.result': 'two' },
    inputs: { 'gen_ai.tool.call.arguments': { n: 1 } },
    output: { 'gen_ai.tool.call.result': 'two' },
  },
  {
    convention: 'legacy GenAI with numbered attributes',
    attributes: {
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'be kind',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': 'why?',
      'gen_ai.completion.0.content': 'so',
      'gen_ai.completion.0.tool_calls.0.name': 'f',
    },
    inputs: {
      'gen_ai.prompt': [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'why?' },
      ],
    },
    output: { 'gen_ai.completion': [{ content: 'so', tool_calls: [{ name: 'f' }] }] },
  },
  {
    convention: 'legacy GenAI with payload events',
    attributes: {},
    events: [
      event('gen_ai.content.prompt', { 'gen_ai.prompt': 'why?' }),
      event('gen_ai.content.completion', { 'gen_ai.completion': '["so"]' }),
    ],
    inputs: { 'gen_ai.prompt': 'why?' },
    output: { 'gen_ai.completion': ['so'] },
  },
  {
    convention: 'legacy GenAI with an event for each message',
    attributes: {},
    events: [
      event('gen_ai.system.message', { content: 'be kind' }),
      event('gen_ai.user.message', { content: '{"text":"why?"}' }),
      event('gen_ai.choice', { index: 0, message: '{"content":"so"}' }),
    ],
    inputs: {
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: { text: 'why?' } },
      ],
    },
    output: { choices: [{ index: 0, message: { content: 'so' } }] },
  },
  {
    convention: 'OpenInference',
    attributes: {
      'input.value': '{"messages":["why?"]}',
      'input.mime_type': 'application/json',
      'output.value': '["so"]',
      'output.mime_type': 'text/plain',
      'llm.input_messages.0.message.role': 'user',
    },
    inputs: { 'input.value': { messages: ['why?'] } },
    output: { 'output.value': '["so"]' },
  },
  {
    convention: 'OpenInference with messages only',
    attributes: { 'llm.input_messages.0.message.role': 'user', 'llm.output_messages.0.message.content': 'so' },
    inputs: { 'llm.input_messages': [{ message: { role: 'user' } }] },
    output: { 'llm.output_messages': [{ message: { content: 'so' } }] },
  },
  {
    convention: 'OpenLLMetry',
    attributes: { 'traceloop.entity.input': '{"args":["why?"]}', 'traceloop.entity.output': 'so' },
    inputs: { 'traceloop.entity.input': { args: ['why?'] } },
    output: { 'traceloop.entity.output': 'so' },
  },
  { convention: 'no convention', attributes: { 'http.method': 'GET' }, inputs: undefined, output: undefined },
  {
    convention: 'text that only looks like JSON, and numbers that parsing would round',
    attributes: { 'input.value': '[not json', 'output.value': '{"id":12345678901234567890}' },
    inputs: { 'input.value': '[not json' },
    output: { 'output.value': '{"id":12345678901234567890}' },
  },
])('inputs and output are read from $convention', ({ attributes, events = [], inputs, output }) => {
  const row = toRow(attributes, { events })
  expect({ inputs: row.inputs, output: row.output }).toEqual({ inputs, output })
})

test('attributes that became inputs or output are not stored a second time', () => {
  const { attributes } = toRow({ 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt_version': 3, 'output.value': 'so', other: 1 })
  expect(attributes).toMatchObject({ otel_span: { attributes: { other: 1, gen_ai: { prompt_version: 3 } } } })
  expect(JSON.stringify(attributes)).not.toMatch(/"prompt"|"output"/)
})

test.each<{ convention: string; attributes: Values; usage: unknown }>([
  {
    convention: 'GenAI',
    attributes: {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation.input_tokens': 5,
    },
    usage: {
      'gpt-4o-2024-08-06': {
        requests: 1,
        input_tokens: 100,
        output_tokens: 20,
        total_tokens: 120,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 5,
      },
    },
  },
  {
    convention: 'legacy GenAI',
    attributes: { 'gen_ai.request.model': 'm', 'gen_ai.usage.prompt_tokens': 1, 'gen_ai.usage.completion_tokens': 0 },
    usage: { m: { requests: 1, input_tokens: 1, output_tokens: 0, total_tokens: 1 } },
  },
  {
    convention: 'OpenInference',
    attributes: {
      'llm.model_name': 'm',
      'llm.token_count.prompt': 3,
      'llm.token_count.completion': 4,
      'llm.token_count.total': 7,
      'llm.token_count.prompt_details.cache_read': 2,
      'llm.token_count.prompt_details.cache_write': 1,
      'llm.token_count.completion_details.reasoning': 3,
    },
    usage: {
      m: {
        requests: 1,
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        cache_read_input_tokens: 2,
        cache_creation_input_tokens: 1,
        reasoning_tokens: 3,
      },
    },
  },
  {
    convention: 'legacy OpenLLMetry',
    attributes: { 'llm.response.model': 'm', 'llm.usage.prompt_tokens': 3, 'llm.usage.total_tokens': 7 },
    usage: { m: { requests: 1, input_tokens: 3, total_tokens: 7 } },
  },
  {
    convention: 'several conventions at once, which count each token once',
    attributes: {
      'gen_ai.response.model': 'm',
      'llm.model_name': 'other',
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.prompt_tokens': 3,
      'llm.token_count.prompt': 3,
      'llm.usage.prompt_tokens': 3,
      'llm.usage.total_tokens': 3,
    },
    usage: { m: { requests: 1, input_tokens: 3, total_tokens: 3 } },
  },
  {
    convention: 'an embedding',
    attributes: { 'embedding.model_name': 'e', 'llm.token_count.prompt': 9 },
    usage: { e: { requests: 1, input_tokens: 9, total_tokens: 9 } },
  },
  {
    convention: 'no model',
    attributes: { 'gen_ai.usage.input_tokens': '12' },
    usage: { usage: { requests: 1, input_tokens: 12, total_tokens: 12 } },
  },
  { convention: 'no tokens', attributes: { 'gen_ai.request.model': 'm' }, usage: undefined },
])('model and tokens are read from $convention', ({ attributes, usage }) => {
  expect(toRow(attributes).summary).toEqual(usage && { usage })
})

test.each([-1, 1.5, 'NaN', 'many', '1.5', null, true, 2 ** 53, '99999999999999999', [1]])(
  'a token count of %s is ignored, and the next convention counts',
  (value) => {
    const attributes = { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': value }
    expect(toRow(attributes).summary).toBeUndefined()
    expect(toRow({ ...attributes, 'llm.token_count.prompt': 4 }).summary).toEqual({
      usage: { m: { requests: 1, input_tokens: 4, total_tokens: 4 } },
    })
  },
)

const id = 'cd'.repeat(8)

test.each<{ attributes: Values; thread: object }>([
  { attributes: {}, thread: { thread_id: undefined, turn_id: undefined, is_conversation: undefined } },
  { attributes: { 'wandb.is_turn': true }, thread: { thread_id: undefined, turn_id: undefined } },
  { attributes: { 'session.id': 's' }, thread: { thread_id: 's', turn_id: undefined, is_conversation: true } },
  { attributes: { 'session.id': 7 }, thread: { thread_id: '7', is_conversation: true } },
  { attributes: { 'session.id': '' }, thread: { thread_id: undefined } },
  { attributes: { 'session.id': true }, thread: { thread_id: undefined } },
  { attributes: { 'session.id': 's', 'gen_ai.conversation.id': 'c' }, thread: { thread_id: 'c', is_conversation: true } },
  {
    attributes: { 'gen_ai.conversation.id': 'c', 'gcp.vertex.agent.session_id': 'g' },
    thread: { thread_id: 'c', is_conversation: true },
  },
  { attributes: { 'gcp.vertex.agent.session_id': 'g', 'wandb.thread_id': 't' }, thread: { thread_id: 't', turn_id: undefined } },
  { attributes: { 'wandb.thread_id': '', 'session.id': 's' }, thread: { thread_id: 's', is_conversation: true } },
  ...[true, 1, 'true', 'yes'].map((isTurn) => ({
    attributes: { 'wandb.thread_id': 't', 'wandb.is_turn': isTurn },
    thread: { thread_id: 't', turn_id: id, is_conversation: false },
  })),
  ...[false, 0, 'false', 'False', '0', '', null].map((isTurn) => ({
    attributes: { 'wandb.thread_id': 't', 'wandb.is_turn': isTurn },
    thread: { thread_id: 't', turn_id: undefined, is_conversation: false },
  })),
  {
    attributes: { 'session.id': 's', 'wandb.is_turn': true },
    thread: { thread_id: 's', turn_id: id, is_conversation: false },
  },
])('$attributes give the thread $thread', ({ attributes, thread }) => {
  expect(toRow(attributes)).toMatchObject(thread)
})

test('a span that names itself as its parent has no parent', () => {
  expect(toRow({}, { parentSpanId: id }).parent_id).toBeUndefined()
})

test('what a span says of its request, response, agent and user are attributes under one name for all conventions', () => {
  expect(
    toRow({
      'gen_ai.system': 'openai',
      'gen_ai.operation.name': 'chat',
      'openinference.span.kind': 'LLM',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.request.temperature': 0.2,
      'gen_ai.request.stop_sequences': ['end'],
      'gen_ai.request.choice.count': 2,
      'llm.invocation_parameters': '{"model":"gpt-4o","temperature":1,"seed":7}',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.finish_reasons': ['stop', 'length'],
      'gen_ai.agent.name': 'helper',
      'gen_ai.agent.id': 'asst_1',
      'user.id': 42,
      'wandb.attributes.tenant': 'north',
    }).attributes,
  ).toMatchObject({
    model: 'gpt-4o',
    provider: 'openai',
    system: 'openai',
    operation: 'chat',
    kind: 'LLM',
    model_parameters: { temperature: 0.2, stop_sequences: ['end'], choice: { count: 2 }, seed: 7 },
    response_id: 'chatcmpl-1',
    finish_reasons: ['stop', 'length'],
    agent: 'helper',
    agent_id: 'asst_1',
    user: '42',
    tenant: 'north',
  })
})

test.each<{ value: Json; expected: unknown }>([
  { value: 'stop', expected: ['stop'] },
  { value: '["stop"]', expected: ['stop'] },
  { value: ['stop', null, ''], expected: ['stop'] },
  { value: '', expected: undefined },
  { value: [], expected: undefined },
])('the finish reasons $value become $expected', ({ value, expected }) => {
  expect(toRow({ 'gen_ai.response.finish_reasons': value }).attributes).toEqual(
    expect.objectContaining(expected ? { finish_reasons: expected } : { otel_span: expect.anything() }),
  )
})

test('an attribute that holds a map is read as its dotted keys, at any depth', () => {
  const row = toRow({
    gen_ai: {
      request: { model: 'm', temperature: 0.5 },
      usage: { input_tokens: 3, cache_read: { input_tokens: 2 } },
      input: { messages },
      'output.messages': { 0: { role: 'assistant' } },
    },
    session: { id: 's' },
    'gen_ai.other': 1,
  })
  expect(row).toMatchObject({
    thread_id: 's',
    inputs: { 'gen_ai.input.messages': messages },
    output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
    attributes: { model: 'm', model_parameters: { temperature: 0.5 } },
    summary: { usage: { m: { input_tokens: 3, cache_read_input_tokens: 2 } } },
  })
  expect(row.attributes).toHaveProperty('otel_span.attributes', {
    gen_ai: {
      request: { model: 'm', temperature: 0.5 },
      usage: { input_tokens: 3, cache_read: { input_tokens: 2 } },
      input: {},
      other: 1,
    },
    session: { id: 's' },
  })
})

const withStatus = (code: number, message = '') => ({ status: { code, message } })

test.each<{ attributes: Values; more?: Partial<Span>; exception: string | undefined }>([
  { attributes: { 'error.type': 'timeout' }, exception: 'timeout' },
  { attributes: { 'error.type': 'timeout', 'error.message': 'no reply' }, exception: 'no reply' },
  { attributes: { 'error.type': 'timeout' }, more: withStatus(1), exception: undefined },
  { attributes: { 'error.type': 'timeout' }, more: withStatus(2, 'failed'), exception: 'failed' },
  { attributes: {}, more: withStatus(2), exception: 'error' },
  { attributes: { 'exception.message': 'x' }, exception: undefined },
])('$attributes with $more give the error $exception', ({ attributes, more, exception }) => {
  expect(toRow(attributes, more).exception).toBe(exception)
})

test('a span that was made in a call of Weave’s SDK is below that call, in its trace', () => {
  const attributes = {
    'weave.parent_call.id': '01a20058-b951-73d8-b72b-f773dabe4c93',
    'weave.parent_call.trace_id': '01a20058-b951-73d8-b72b-f773dabe4c94',
  }
  const link = { trace_id: attributes['weave.parent_call.trace_id'], parent_id: attributes['weave.parent_call.id'] }
  expect(toRow(attributes)).toMatchObject(link)
  expect(toRow(attributes, { parentSpanId: 'ef'.repeat(8) })).toMatchObject({ ...link, parent_id: 'ef'.repeat(8) })
  expect(toRow({ ...attributes, 'weave.parent_call.id': 'no id' })).toMatchObject({
    trace_id: 'ab'.repeat(16),
    parent_id: undefined,
  })
})

test('definitions of tools are part of the input, and alone are none', () => {
  const tools = { 'gen_ai.tool.definitions': '[{"name":"get_weather"}]' }
  expect(toRow({ ...tools, 'gen_ai.input.messages': '[]' })).toMatchObject({
    inputs: { 'gen_ai.input.messages': [], 'gen_ai.tool.definitions': [{ name: 'get_weather' }] },
  })
  expect(toRow({ ...tools, 'gcp.vertex.agent.llm_request': '{"contents":[]}' })).toMatchObject({
    inputs: { 'gcp.vertex.agent.llm_request': { contents: [] } },
  })
})
