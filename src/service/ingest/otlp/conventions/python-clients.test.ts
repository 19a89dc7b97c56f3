import { expect, test } from 'vitest'
import { readRecording, summarizeCalls } from '../testing/read-recording'

// Recorded by e2e/clients/python: "What is the weather in Paris?" is answered with the help of the tool get_weather.

const question = { content: 'What is the weather in Paris?' }
const counted = { requests: 1, input_tokens: 1300, output_tokens: 48, total_tokens: 1348 }
const details = { cache_read_input_tokens: 1024, reasoning_tokens: 16 }
const ofGpt = (counts: object) => ({ usage: { 'gpt-4o-mini-2024-07-18': { ...counted, ...counts } } })
const toolCallPart = expect.objectContaining({ type: 'tool_call', name: 'get_weather' }) as object

function readCall(client: string, opName: string) {
  return summarizeCalls(readRecording(client).request).find((call) => call['op_name'] === opName)
}

test('a request of Pydantic AI is a call with model, messages and usage, in the thread of its conversation', () => {
  expect(readCall('python-pydantic-ai', 'chat gpt-4o-mini')).toMatchObject({
    thread_id: 'ticket-1042',
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'gpt-4o-mini-2024-07-18',
    provider: 'openai',
    agent: 'support',
    response_id: 'chatcmpl-double',
    finish_reasons: ['tool_call'],
    ...ofGpt(details),
  })
})

test('an agent’s run and a tool of Pydantic AI have inputs and output, and the run counts no tokens twice', () => {
  const run = readCall('python-pydantic-ai', 'invoke_agent support')
  expect(run).not.toHaveProperty('usage')
  expect(run).toMatchObject({
    thread_id: 'ticket-1042',
    is_conversation: true,
    output: { final_result: 'The weather: 21 degrees in Paris' },
    operation: 'invoke_agent',
    agent: 'support',
  })
  expect(readCall('python-pydantic-ai', 'execute_tool get_weather')).toMatchObject({
    inputs: { 'gen_ai.tool.call.arguments': { city: 'Paris' } },
    output: { 'gen_ai.tool.call.result': '21 degrees in Paris' },
    tool: 'get_weather',
  })
})

test('a request of Logfire has the cached tokens and the reasoning that only its raw usage tells', () => {
  expect(readCall('python-logfire-openai', 'Chat Completion with {request_data[model]!r}')).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'gpt-4o-mini-2024-07-18',
    provider: 'openai',
    finish_reasons: ['tool_calls'],
    ...ofGpt(details),
  })
})

test('a trace of MLflow has thread, user, texts and usage, though all attributes are JSON text', () => {
  expect(readCall('python-mlflow-openai', 'answer')).toMatchObject({
    thread_id: 'ticket-1042',
    is_conversation: true,
    inputs: { 'mlflow.spanInputs': { message: question.content } },
    user: 'kim',
  })
  expect(readCall('python-mlflow-openai', 'Completions')).toMatchObject({
    inputs: { 'mlflow.spanInputs': { messages: [{ role: 'user', ...question }] } },
    output: { 'mlflow.spanOutputs': { choices: [{ message: { tool_calls: [{ function: { name: 'get_weather' } }] } }] } },
    model: 'gpt-4o-mini-2024-07-18',
    kind: 'CHAT_MODEL',
    ...ofGpt({ cache_read_input_tokens: 1024 }),
  })
})

test.each([
  { client: 'python-openinference-langchain', opName: 'ChatOpenAI', model: 'gpt-4o-mini-2024-07-18' },
  { client: 'python-openinference-llama-index', opName: 'OpenAI.chat', model: 'gpt-4o-mini' },
  { client: 'python-openinference-openai-agents', opName: 'response', model: 'gpt-4o-mini-2024-07-18' },
])('$client: a request has thread, model, tool call and usage', ({ client, opName, model }) => {
  const call = readCall(client, opName)
  expect(call).toMatchObject({
    thread_id: 'ticket-1042',
    model,
    provider: 'openai',
    kind: 'LLM',
    usage: { [model]: { ...counted, ...details } },
  })
  expect(JSON.stringify(call?.['inputs'])).toContain(question.content)
  expect(JSON.stringify(call?.['output'])).toContain('get_weather')
})

test('a request of Traceloop’s instrumentation of Anthropic counts cached tokens as a part of the prompt', () => {
  expect(readCall('python-traceloop-anthropic', 'anthropic.chat')).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'claude-sonnet-4-5-20250929',
    provider: 'anthropic',
    usage: {
      'claude-sonnet-4-5-20250929': {
        ...counted,
        cache_read_input_tokens: 1024,
        cache_creation_input_tokens: 128,
      },
    },
  })
})
