import { isJsonObject } from '../../contract/json-value'
import {
  firstOf,
  type MessagePart,
  parseNested,
  readContent,
  readToolCall,
  readToolResult,
  textOrNull,
  toToolResult,
} from './message-parts'

export type Message = {
  /** `system`, `user`, `assistant` or `tool` where the sender's word means one of these, else that word. */
  role: string
  name: string | null
  parts: MessagePart[]
}
/** `rest`: the fields beside the messages, such as the model and its settings. */
export type Conversation = { messages: Message[]; rest: Readonly<Record<string, unknown>> }

type JsonObject = Readonly<Record<string, unknown>>

/**
 * The messages in inputs or an output, in the forms of OpenAI (chat and responses), Anthropic, Gemini, LangChain, OpenTelemetry's
 * GenAI conventions, OpenInference and Vercel's AI SDK. Undefined where there are none.
 */
export function readConversation(value: unknown, depth = 3): Conversation | undefined {
  const messages = readMessages(value)
  if (messages) return { messages, rest: isJsonObject(value) ? omit(value, messageKeys) : {} }
  if (!isJsonObject(value)) return undefined
  const found: Message[] = []
  const rest: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const conversation = readField(key, inner, depth)
    if (!conversation) rest[key] = inner
    else {
      found.push(...conversation.messages)
      if (Object.keys(conversation.rest).length > 0) rest[key] = conversation.rest
    }
  }
  if (found.length === 0) {
    const reply = readReply(value)
    return reply && { messages: [reply], rest: omit(value, replyKeys) }
  }
  const system = systemKeys.flatMap((key) => {
    const parts = readContent(value[key])
    if (parts.length > 0) delete rest[key]
    return parts.length > 0 ? [{ role: 'system', name: null, parts }] : []
  })
  return { messages: [...system, ...found], rest }
}

const systemKeys = ['system', 'instructions', 'system_instruction', 'systemInstruction', 'gen_ai.system_instructions']

/** Attributes of conventions that hold all inputs or the whole output. */
const wrapperKey =
  /^(?:(?:input|output)\.value|langfuse\.observation\.(?:input|output)|traceloop\.entity\.(?:input|output)|mastra\.[a-z_]+\.(?:input|output)|mlflow\.span(?:Inputs|Outputs)|ai\.prompt)$/

const listKeys = new Set([
  'messages',
  'input',
  'output',
  'contents',
  'chat_history',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'ai.prompt.messages',
  'llm.input_messages',
  'llm.output_messages',
  'pydantic_ai.all_messages',
])

function readField(key: string, inner: unknown, depth: number): Conversation | undefined {
  if (listKeys.has(key)) {
    const messages = Array.isArray(inner) ? readMessages(inner) : undefined
    return messages && { messages, rest: {} }
  }
  if (key === 'choices') return fromList(inner, (choice) => readMessage(choice['message'] ?? choice['delta']))
  if (key === 'candidates') return fromList(inner, (candidate) => readMessage(candidate['content']))
  if (key === 'generations' && Array.isArray(inner)) {
    return fromList(inner.flat(), (generation) => readMessage(generation['message']) ?? toReply(textOrNull(generation['text'])))
  }
  if (wrapperKey.test(key) && depth > 0) {
    const { prompt } = isJsonObject(inner) ? inner : {}
    if (key === 'ai.prompt' && typeof prompt === 'string') {
      return { messages: [{ role: 'user', name: null, parts: readContent(prompt) }], rest: omit(inner, ['prompt']) }
    }
    return readConversation(parseNested(inner), depth - 1)
  }
  return undefined
}

function fromList(list: unknown, read: (item: JsonObject) => Message | undefined): Conversation | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const messages = list.map((item: unknown) => (isJsonObject(item) ? read(item) : undefined))
  return messages.every((message) => message !== undefined) ? { messages, rest: {} } : undefined
}

const replyKeys = ['text', 'toolCalls', 'ai.response.text', 'ai.response.toolCalls', 'ai.response.reasoning']

/** What Vercel's AI SDK and Mastra write of a reply: its text and its tool calls, without a role. */
function readReply(value: JsonObject): Message | undefined {
  const text = firstOf(value, ['ai.response.text', 'text'])
  const calls = firstOf(value, ['ai.response.toolCalls', 'toolCalls'])
  const isReply = 'ai.response.text' in value || Array.isArray(calls)
  if (!isReply) return undefined
  const parts = [...readContent(text), ...(Array.isArray(calls) ? calls.flatMap((call) => readToolCall(call) ?? []) : [])]
  const { 'ai.response.reasoning': reasoning } = value
  if (typeof reasoning === 'string') parts.unshift({ kind: 'thinking', text: reasoning })
  return parts.length === 0 ? undefined : { role: 'assistant', name: null, parts }
}

function toReply(text: string | null): Message | undefined {
  return text === null ? undefined : { role: 'assistant', name: null, parts: [{ kind: 'text', text }] }
}

/** All messages of a list, or the one message that a value is. Lists of lists are LangChain's. */
function readMessages(value: unknown): Message[] | undefined {
  if (!Array.isArray(value)) {
    const message = readMessage(value)
    return message && [message]
  }
  const items: unknown[] = value.every((item) => Array.isArray(item)) ? value.flat() : value
  const messages = items.map(readMessage)
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined
}

/** What of a message is shown as such. */
const messageKeys = [
  'role',
  'content',
  'parts',
  'contents',
  'tool_calls',
  'function_call',
  'refusal',
  'name',
  'type',
  'finish_reason',
]
const contentKeys = ['content', 'parts', 'contents', 'tool_calls', 'function_call', 'refusal']

function readMessage(value: unknown): Message | undefined {
  if (!isJsonObject(value)) return undefined
  const { message, kwargs, data, role, type } = value
  if (isJsonObject(message) && Object.keys(value).length === 1) return readMessage(message)
  if (isJsonObject(kwargs) && Array.isArray(value['id'])) return readRoled(kwargs, toLangChainRole(value['id'].at(-1)))
  if (typeof role === 'string' && contentKeys.some((key) => key in value)) return readRoled(value, role)
  if (isJsonObject(data) && langChainTypes.has(String(type))) return readRoled(data, String(type))
  if (langChainTypes.has(String(type)) && 'content' in value) return readRoled(value, String(type))
  return readResponseItem(value)
}

const langChainTypes = new Set(['human', 'ai', 'system', 'tool', 'function', 'AIMessageChunk'])

/** `HumanMessage` is the class of what a human said. */
function toLangChainRole(className: unknown): string {
  return String(className)
    .replace(/Message(?:Chunk)?$/, '')
    .toLowerCase()
}

/** Messages of OpenAI's responses that have no role: calls of functions, their results, reasoning. */
function readResponseItem(value: JsonObject): Message | undefined {
  const type = String(value['type'])
  const call = type === 'function_call' || type === 'custom_tool_call' ? readToolCall(value) : undefined
  const result = readToolResult(value)
  if (call) return { role: 'assistant', name: null, parts: [call] }
  if (result) return { role: 'tool', name: null, parts: [result] }
  return type === 'reasoning' && 'summary' in value ? { role: 'assistant', name: null, parts: readContent([value]) } : undefined
}

const commonRoles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  aimessagechunk: 'assistant',
  model: 'assistant',
  developer: 'system',
  function: 'tool',
}

function readRoled(message: JsonObject, sentRole: string): Message {
  const role = commonRoles[sentRole.toLowerCase()] ?? sentRole
  const name = textOrNull(message['name'])
  const content = firstOf(message, ['parts', 'content', 'contents'])
  const isResult = role === 'tool' && !Array.isArray(message['parts']) && !hasToolResults(content)
  const parts = isResult ? [toToolResult(message)] : readContent(content)
  const { refusal, tool_calls: toolCalls, function_call: functionCall, additional_kwargs: more } = message
  if (typeof refusal === 'string') parts.push({ kind: 'text', text: refusal })
  const moreCalls = isJsonObject(more) ? more['tool_calls'] : undefined
  const calls: unknown[] =
    Array.isArray(toolCalls) && toolCalls.length > 0 ? toolCalls : Array.isArray(moreCalls) ? moreCalls : []
  for (const call of calls) {
    const typed = isJsonObject(call) ? { type: 'tool_call', ...call } : call
    parts.push(readToolCall(typed) ?? { kind: 'data', label: 'tool call', value: call })
  }
  const called = isJsonObject(functionCall) ? readToolCall({ ...functionCall, type: 'function_call' }) : undefined
  if (called) parts.push(called)
  return { role, name: isResult ? null : name, parts }
}

function hasToolResults(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => readToolResult(part) !== undefined)
}

function omit(value: unknown, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => !keys.includes(key)))
}
