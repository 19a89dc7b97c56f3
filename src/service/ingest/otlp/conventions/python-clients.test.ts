import { expect, test } from 'vitest'
import { readMessages, readRecording, summarizeCalls } from '../testing/read-recording'

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
    display_name: "Chat Completion with 'gpt-4o-mini'",
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

const ofClaude = {
  'claude-sonnet-4-5-20250929': { ...counted, cache_read_input_tokens: 1024, cache_creation_input_tokens: 128 },
}

test('a request of OpenInference’s instrumentation of OpenAI has both messages of the tool call, and every count', () => {
  const [turn, first, second] = summarizeCalls(readRecording('python-openinference-openai').request)
  expect(turn).toMatchObject({ op_name: 'answer', thread_id: 'ticket-1042', is_conversation: true })
  expect(first).toMatchObject({
    inputs: { 'input.value': { messages: [{ role: 'user', ...question }] } },
    output: { 'output.value': { choices: [{ message: { tool_calls: [{ function: { name: 'get_weather' } }] } }] } },
    model: 'gpt-4o-mini-2024-07-18',
    provider: 'openai',
    kind: 'LLM',
    finish_reasons: ['tool_calls'],
    ...ofGpt(details),
  })
  expect(second).toMatchObject({
    inputs: { 'input.value': { messages: [{}, {}, { role: 'tool', content: '21 degrees in Paris' }] } },
    output: { 'output.value': { choices: [{ message: { content: 'The weather: 21 degrees in Paris' } }] } },
  })
})

test('a request of OpenInference’s instrumentation of Anthropic has messages and counts, and the client’s own span below repeats the counts', () => {
  const [turn, request, ofClient] = summarizeCalls(readRecording('python-openinference-anthropic').request)
  expect(turn).toMatchObject({ op_name: 'answer', thread_id: 'ticket-1042', is_conversation: true })
  expect(request).toMatchObject({
    inputs: { 'input.value': { messages: [{ role: 'user', ...question }] } },
    output: { 'output.value': { content: [{ type: 'tool_use', name: 'get_weather', input: { city: 'Paris' } }] } },
    model: 'claude-sonnet-4-5-20250929',
    provider: 'anthropic',
    finish_reasons: ['tool_use'],
    usage: ofClaude,
  })
  expect(ofClient).toMatchObject({ op_name: 'anthropic.messages.create', usage: ofClaude })
})

test('a request of Traceloop’s instrumentation of OpenAI has both messages of the tool call, and every count', () => {
  const [turn, first, second] = summarizeCalls(readRecording('python-traceloop-openai').request)
  expect(turn).toMatchObject({ op_name: 'answer', thread_id: 'ticket-1042', is_conversation: true })
  expect(first).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'gpt-4o-mini-2024-07-18',
    provider: 'openai',
    response_id: expect.stringMatching(/^chatcmpl-double/) as string,
    finish_reasons: ['tool_call'],
    ...ofGpt(details),
  })
  expect(second).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{}, {}, { parts: [{ type: 'tool_call_response', response: '21 degrees in Paris' }] }] },
    output: { 'gen_ai.output.messages': [{ parts: [{ content: 'The weather: 21 degrees in Paris' }] }] },
  })
})

test('a request of Traceloop’s instrumentation of Anthropic counts cached tokens as a part of the prompt', () => {
  expect(readCall('python-traceloop-anthropic', 'anthropic.chat')).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'claude-sonnet-4-5-20250929',
    provider: 'anthropic',
    usage: ofClaude,
  })
})

test('a request of Google ADK has the thread of its session, messages, tool call and the usage of Gemini', () => {
  expect(readCall('python-google-adk', 'generate_content gemini-2.5-flash')).toMatchObject({
    thread_id: 'ticket-1042',
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'gemini-2.5-flash',
    provider: 'gcp.gemini',
    agent: 'support',
    usage: { 'gemini-2.5-flash': { ...counted, ...details } },
  })
  expect(readCall('python-google-adk', 'execute_tool get_weather')).toMatchObject({
    inputs: { 'gen_ai.tool.call.arguments': { city: 'Paris' } },
    output: { 'gen_ai.tool.call.result': { result: '21 degrees in Paris' } },
    tool: 'get_weather',
  })
  expect(readCall('python-google-adk', 'invoke_agent support')).not.toHaveProperty('usage')
})

test('the messages of a request of OpenTelemetry’s openai-v2 come as a log record of its span', () => {
  expect(readCall('python-openai-v2', 'chat gpt-4o-mini')).toMatchObject({
    model: 'gpt-4o-mini-2024-07-18',
    response_id: 'chatcmpl-double',
    finish_reasons: ['tool_calls'],
    ...ofGpt({}),
  })
  expect(readMessages(readRecording('python-openai-v2').logs)).toMatchObject([
    { side: 'inputs', isWhole: true, value: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] } },
    { side: 'output', isWhole: true, value: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] } },
  ])
})

test('a generation of Langfuse’s SDK has session, user, tool call and usage; its observed functions have inputs and output', () => {
  expect(readCall('python-langfuse-openai', 'OpenAI-generation')).toMatchObject({
    thread_id: 'ticket-1042',
    user: 'kim',
    kind: 'generation',
    inputs: { 'langfuse.observation.input': { messages: [{ role: 'user', ...question }] } },
    output: { 'langfuse.observation.output': { tool_calls: [{ function: { name: 'get_weather' } }] } },
    model: 'gpt-4o-mini-2024-07-18',
    ...ofGpt(details),
  })
  expect(readCall('python-langfuse-openai', 'answer')).toMatchObject({
    inputs: { 'langfuse.observation.input': { args: [question.content] } },
    output: { 'langfuse.observation.output': 'The weather: 21 degrees in Paris' },
  })
})

test.each([
  { client: 'python-openlit-openai', opName: 'chat gpt-4o-mini' },
  { client: 'python-traceloop-langchain', opName: 'ChatOpenAI.chat' },
])('$client: a request has messages, tool call, response id and cached tokens', ({ client, opName }) => {
  expect(readCall(client, opName)).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [question] }] },
    output: { 'gen_ai.output.messages': [{ parts: [toolCallPart] }] },
    model: 'gpt-4o-mini-2024-07-18',
    provider: 'openai',
    response_id: 'chatcmpl-double',
    ...ofGpt({ cache_read_input_tokens: 1024 }),
  })
})
