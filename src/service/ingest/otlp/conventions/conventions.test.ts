import { expect, test } from 'vitest'
import type { Json } from '../attributes/attributes'
import { toRow } from '../testing/to-row'

test('a generation of Langfuse has model, usage, parameters, session, user and error', () => {
  const row = toRow({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': 'gpt-4o',
    'langfuse.observation.model.parameters': '{"temperature":0.2,"max_tokens":100}',
    'langfuse.observation.usage_details':
      '{"input":15,"input_cached_tokens":6,"output":5,"output_reasoning_tokens":2,"total":28}',
    'langfuse.observation.input': '[{"role":"user","content":"why?"}]',
    'langfuse.observation.output': 'so',
    'langfuse.observation.level': 'ERROR',
    'langfuse.observation.status_message': 'cut off',
    'session.id': 's1',
    'langfuse.user.id': 'kim',
  })
  expect(row).toMatchObject({
    thread_id: 's1',
    exception: 'cut off',
    inputs: { 'langfuse.observation.input': [{ role: 'user', content: 'why?' }] },
    output: { 'langfuse.observation.output': 'so' },
    attributes: {
      model: 'gpt-4o',
      kind: 'generation',
      user: 'kim',
      model_parameters: { temperature: 0.2, max_tokens: 100 },
    },
    summary: {
      usage: {
        'gpt-4o': {
          requests: 1,
          input_tokens: 21,
          output_tokens: 7,
          total_tokens: 28,
          cache_read_input_tokens: 6,
          reasoning_tokens: 2,
        },
      },
    },
  })
})

test.each<{ details: Json; usage: object }>([
  {
    details: { prompt_tokens: 21, completion_tokens: 7, total_tokens: 28, prompt_tokens_details: { cached_tokens: 4 } },
    usage: { input_tokens: 21, output_tokens: 7, total_tokens: 28, cache_read_input_tokens: 4 },
  },
  {
    details: { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 },
    usage: {
      input_tokens: 130,
      output_tokens: 7,
      total_tokens: 137,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    },
  },
  { details: { input: 3, output: 4 }, usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } },
])('the usage details $details of Langfuse are read as text and as a map', ({ details, usage }) => {
  const expected = { usage: { m: { requests: 1, ...usage } } }
  const model = { 'langfuse.observation.model.name': 'm' }
  expect(toRow({ ...model, 'langfuse.observation.usage_details': JSON.stringify(details) }).summary).toEqual(expected)
  expect(toRow({ ...model, 'langfuse.observation.usage_details': details }).summary).toEqual(expected)
})

test('a call of Vercel’s AI SDK has messages, tool calls, settings, session and user', () => {
  const row = toRow({
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.telemetry.functionId': 'support',
    'ai.telemetry.metadata.sessionId': 's1',
    'ai.telemetry.metadata.userId': 'kim',
    'ai.model.id': 'gpt-4o',
    'ai.model.provider': 'openai.chat',
    'ai.settings.maxOutputTokens': 100,
    'ai.settings.temperature': 0.2,
    'ai.prompt.messages': '[{"role":"user"}]',
    'ai.response.text': 'so',
    'ai.response.toolCalls': '[{"toolName":"search"}]',
    'ai.response.finishReason': 'tool-calls',
    'ai.response.id': 'r1',
    'ai.usage.inputTokens': 21,
    'ai.usage.outputTokens': 7,
    'ai.usage.cachedInputTokens': 4,
    'ai.usage.reasoningTokens': 2,
  })
  expect(row).toMatchObject({
    thread_id: 's1',
    inputs: { 'ai.prompt.messages': [{ role: 'user' }] },
    output: { 'ai.response.text': 'so', 'ai.response.toolCalls': [{ toolName: 'search' }] },
    attributes: {
      model: 'gpt-4o',
      provider: 'openai',
      operation: 'ai.generateText.doGenerate',
      agent: 'support',
      user: 'kim',
      response_id: 'r1',
      finish_reasons: ['tool-calls'],
      model_parameters: { max_tokens: 100, temperature: 0.2 },
    },
    summary: {
      usage: {
        'gpt-4o': { input_tokens: 21, output_tokens: 7, total_tokens: 28, cache_read_input_tokens: 4, reasoning_tokens: 2 },
      },
    },
  })
})

const cachedClaude = {
  'ai.model.id': 'claude',
  'ai.model.provider': 'anthropic.messages',
  'ai.usage.inputTokens': 10,
  'ai.usage.outputTokens': 5,
  'ai.usage.cachedInputTokens': 100,
}

test('Vercel’s AI SDK counts the cached tokens of Anthropic beside the prompt up to version 5, and among them from 6 on', () => {
  const metadata = { 'ai.response.providerMetadata': '{"anthropic":{"cacheCreationInputTokens":20}}' }
  const cached = { cache_read_input_tokens: 100, cache_creation_input_tokens: 20 }
  expect(toRow({ ...cachedClaude, ...metadata }).summary).toEqual({
    usage: { claude: { requests: 1, input_tokens: 130, output_tokens: 5, total_tokens: 135, ...cached } },
  })
  const details = {
    'ai.usage.inputTokens': 130,
    'ai.usage.inputTokenDetails.noCacheTokens': 10,
    'ai.usage.inputTokenDetails.cacheReadTokens': 100,
    'ai.usage.inputTokenDetails.cacheWriteTokens': 20,
  }
  expect(toRow({ ...cachedClaude, ...details, ...metadata }).summary).toEqual({
    usage: { claude: { requests: 1, input_tokens: 130, output_tokens: 5, total_tokens: 135, ...cached } },
  })
})

test('a tool call of Vercel’s AI SDK has arguments, result and the tool’s name', () => {
  expect(
    toRow({ 'ai.toolCall.name': 'search', 'ai.toolCall.id': 'c1', 'ai.toolCall.args': '{"q":1}', 'ai.toolCall.result': '[2]' }),
  ).toMatchObject({
    inputs: { 'ai.toolCall.args': { q: 1 } },
    output: { 'ai.toolCall.result': [2] },
    attributes: { tool: 'search', tool_call_id: 'c1' },
  })
})

test('a model call of Google’s ADK has the request’s parameters, and thoughts are part of the completion', () => {
  const request = { model: 'gemini-2.5-flash', config: { temperature: 0.2, max_output_tokens: 100 }, contents: [] }
  const usage = { prompt_token_count: 21, candidates_token_count: 7, thoughts_token_count: 3, cached_content_token_count: 4 }
  const row = toRow({
    'gen_ai.system': 'gcp.vertex.agent',
    'gen_ai.request.model': 'gemini-2.5-flash',
    'gen_ai.usage.input_tokens': 21,
    'gen_ai.usage.output_tokens': 7,
    'gen_ai.response.finish_reasons': ['stop'],
    'gcp.vertex.agent.session_id': 's1',
    'gcp.vertex.agent.llm_request': JSON.stringify(request),
    'gcp.vertex.agent.llm_response': JSON.stringify({ content: 'so', usage_metadata: usage }),
  })
  expect(row).toMatchObject({
    thread_id: 's1',
    is_conversation: true,
    inputs: { 'gcp.vertex.agent.llm_request': request },
    output: { 'gcp.vertex.agent.llm_response': { content: 'so' } },
    attributes: { system: 'gcp.vertex.agent', model_parameters: { temperature: 0.2, max_tokens: 100 }, finish_reasons: ['stop'] },
    summary: {
      usage: {
        'gemini-2.5-flash': {
          input_tokens: 21,
          output_tokens: 10,
          total_tokens: 31,
          cache_read_input_tokens: 4,
          reasoning_tokens: 3,
        },
      },
    },
  })
})

test('a tool call of Google’s ADK has arguments and response, not the empty model request beside them', () => {
  expect(
    toRow({
      'gen_ai.tool.name': 'search',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      'gcp.vertex.agent.tool_call_args': '{"q":1}',
      'gcp.vertex.agent.tool_response': '{"result":2}',
    }),
  ).toMatchObject({
    inputs: { 'gcp.vertex.agent.tool_call_args': { q: 1 } },
    output: { 'gcp.vertex.agent.tool_response': { result: 2 } },
    attributes: { tool: 'search' },
  })
})

test('a span of Mastra has the input and output of its kind, and its thread', () => {
  expect(
    toRow({
      'mastra.span.type': 'agent_run',
      'mastra.agent_run.input': '[{"role":"user"}]',
      'mastra.agent_run.output': '{"text":"so"}',
      'mastra.metadata.threadId': 't1',
      'mastra.metadata.userId': 'kim',
      'gen_ai.agent.name': 'support',
      'error.type': 'AGENT_FAILED',
      'error.message': 'no reply',
    }),
  ).toMatchObject({
    thread_id: 't1',
    exception: 'no reply',
    inputs: { 'mastra.agent_run.input': [{ role: 'user' }] },
    output: { 'mastra.agent_run.output': { text: 'so' } },
    attributes: { kind: 'agent_run', agent: 'support', user: 'kim' },
  })
})

test('a span of MLflow has texts without their quotes, and usage from one attribute', () => {
  expect(
    toRow({
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.llm.model': '"gpt-4o"',
      'mlflow.spanInputs': '{"messages":[]}',
      'mlflow.spanOutputs': '"so"',
      'mlflow.chat.tokenUsage': '{"input_tokens":21,"output_tokens":7,"total_tokens":28,"cache_read_input_tokens":4}',
      'mlflow.trace.session': '"s1"',
    }),
  ).toMatchObject({
    thread_id: 's1',
    inputs: { 'mlflow.spanInputs': { messages: [] } },
    attributes: { kind: 'CHAT_MODEL', model: 'gpt-4o' },
    summary: { usage: { 'gpt-4o': { input_tokens: 21, output_tokens: 7, total_tokens: 28, cache_read_input_tokens: 4 } } },
  })
})

test('the messages of Pydantic AI are read from its list of events', () => {
  const events = [
    { 'event.name': 'gen_ai.user.message', role: 'user', content: 'why?' },
    { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'so' } },
  ]
  const row = toRow({ 'gen_ai.request.model': 'gpt-4o', events: JSON.stringify(events) })
  expect(row).toMatchObject({
    inputs: { messages: [{ role: 'user', content: 'why?' }] },
    output: { choices: [{ index: 0, message: { role: 'assistant', content: 'so' } }] },
  })
  expect(JSON.stringify(row.attributes)).not.toContain('why?')
})

test('an attribute events that holds anything else stays an attribute', () => {
  const row = toRow({ events: '[{"event.name":"click"}]' })
  expect(row.inputs).toBeUndefined()
  expect(row.attributes).toMatchObject({ otel_span: { attributes: { events: '[{"event.name":"click"}]' } } })
})

test('a call that Logfire traces has request, response and the tokens within it', () => {
  expect(
    toRow({
      request_data: '{"model":"gpt-4o","temperature":0.2,"messages":[]}',
      response_data: '{"message":{"content":"so"},"usage":{"prompt_tokens_details":{"cached_tokens":4}}}',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 21,
      'gen_ai.usage.output_tokens': 7,
    }),
  ).toMatchObject({
    inputs: { request_data: { messages: [] } },
    output: { response_data: { message: { content: 'so' } } },
    attributes: { model_parameters: { temperature: 0.2 } },
    summary: { usage: { 'gpt-4o-2024-08-06': { input_tokens: 21, total_tokens: 28, cache_read_input_tokens: 4 } } },
  })
})

test('OpenLLMetry names session and user as properties of an association', () => {
  expect(
    toRow({
      'traceloop.association.properties.session_id': 's1',
      'traceloop.association.properties.user_id': 'kim',
      'gen_ai.completion.0.finish_reason': 'stop',
      'gen_ai.completion.0.content': 'so',
      'llm.top_k': 3,
    }),
  ).toMatchObject({
    thread_id: 's1',
    output: { 'gen_ai.completion': [{ finish_reason: 'stop', content: 'so' }] },
    attributes: { user: 'kim', finish_reasons: ['stop'], model_parameters: { top_k: 3 } },
  })
})

test('plain names are read where no convention says more', () => {
  expect(toRow({ input: '{"q":1}', output: 'so' })).toMatchObject({ inputs: { input: { q: 1 } }, output: { output: 'so' } })
  expect(toRow({ input: 'x', 'input.value': 'y' }).inputs).toEqual({ 'input.value': 'y' })
})
