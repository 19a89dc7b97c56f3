import { isJsonObject } from '../../contract/json-value'

export type MessagePart =
  | { kind: 'text' | 'thinking'; text: string }
  | { kind: 'tool_call'; id: string | null; name: string; input: unknown }
  | { kind: 'tool_result'; id: string | null; name: string | null; output: unknown; isError: boolean }
  /** Images, files and whatever else a message holds. */
  | { kind: 'data'; label: string; value: unknown }

type JsonObject = Readonly<Record<string, unknown>>

/** The first of these keys that has a value. */
export function firstOf(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) if (object[key] !== undefined && object[key] !== null) return object[key]
  return undefined
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * The content of a message: text, or a list of parts as OpenAI (chat and responses), Anthropic, Gemini, LangChain,
 * OpenTelemetry, Vercel and OpenInference write them.
 */
export function readContent(content: unknown): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (content === null || content === undefined) return []
  return Array.isArray(content) ? content.flatMap(readContentPart) : [readContentPart(content)]
}

function readContentPart(part: unknown): MessagePart {
  if (typeof part === 'string') return { kind: 'text', text: part }
  if (!isJsonObject(part)) return { kind: 'data', label: 'value', value: part }
  // OpenInference has each part under a key of its own.
  const { message_content: inner } = part
  if (isJsonObject(inner)) return readContentPart(inner)
  return readToolCall(part) ?? readToolResult(part) ?? readTextPart(part) ?? toDataPart(part)
}

function readTextPart(part: JsonObject): MessagePart | undefined {
  const type = textOrNull(part['type']) ?? 'text'
  if (/thinking|reasoning/.test(type)) {
    const text = firstOf(part, ['thinking', 'reasoning', 'text', 'content', 'summary'])
    const thoughts = Array.isArray(text) ? readContent(text).flatMap((each) => ('text' in each ? [each.text] : [])) : [text]
    const joined = thoughts.filter((thought) => typeof thought === 'string').join('\n')
    return { kind: 'thinking', text: joined === '' ? '(not readable)' : joined }
  }
  // `refusal` too is something that the model says.
  if (!/^(?:(?:input_|output_|summary_)?text|refusal)$/.test(type)) return undefined
  const text = firstOf(part, ['text', 'content', 'refusal'])
  return typeof text === 'string' ? { kind: 'text', text } : undefined
}

function toDataPart(part: JsonObject): MessagePart {
  const type = firstOf(part, ['type', 'modality', 'mime_type', 'block_type'])
  return { kind: 'data', label: typeof type === 'string' ? type : 'part', value: part }
}

const callTypes = new Set([
  'tool_use',
  'server_tool_use',
  'tool_call',
  'tool-call',
  'function_call',
  'function',
  'custom_tool_call',
])

/** A request of the model to call a tool, in any of the known forms. */
export function readToolCall(value: unknown): Extract<MessagePart, { kind: 'tool_call' }> | undefined {
  if (!isJsonObject(value)) return undefined
  const { tool_call: wrapped, functionCall, function: named } = value
  if (isJsonObject(wrapped)) return readToolCall(wrapped)
  if (isJsonObject(functionCall)) return toToolCall(functionCall, functionCall)
  if (isJsonObject(named) && typeof named['name'] === 'string') return toToolCall(value, named)
  const isCall = callTypes.has(String(value['type'])) || typeof value['toolName'] === 'string' || 'args' in value
  const isResult = 'result' in value || 'output' in value
  return isCall && !isResult && textOrNull(firstOf(value, ['name', 'toolName'])) ? toToolCall(value, value) : undefined
}

function toToolCall(outer: JsonObject, named: JsonObject): Extract<MessagePart, { kind: 'tool_call' }> {
  const input = firstOf(named, ['arguments', 'input', 'args'])
  return {
    kind: 'tool_call',
    id: textOrNull(firstOf(outer, ['call_id', 'id', 'toolCallId', 'tool_call_id'])),
    name: textOrNull(firstOf(named, ['name', 'toolName'])) ?? 'tool',
    input: parseNested(input),
  }
}

const resultTypes = new Set([
  'tool_result',
  'tool-result',
  'tool_call_response',
  'function_call_output',
  'custom_tool_call_output',
])

/** What a tool returned, in any of the known forms. */
export function readToolResult(value: unknown): Extract<MessagePart, { kind: 'tool_result' }> | undefined {
  if (!isJsonObject(value)) return undefined
  const { functionResponse } = value
  if (isJsonObject(functionResponse)) return toToolResult(functionResponse)
  return resultTypes.has(String(value['type'])) ? toToolResult(value) : undefined
}

export function toToolResult(value: JsonObject): Extract<MessagePart, { kind: 'tool_result' }> {
  return {
    kind: 'tool_result',
    id: textOrNull(firstOf(value, ['tool_use_id', 'tool_call_id', 'call_id', 'toolCallId', 'id'])),
    name: textOrNull(firstOf(value, ['name', 'toolName'])),
    output: toPlainText(parseNested(firstOf(value, ['response', 'result', 'output', 'content']))),
    isError: value['is_error'] === true || value['isError'] === true || value['status'] === 'error',
  }
}

/** `[{"type":"text","text":"21 degrees"}]` is only a text, and so is Vercel's `{"type":"text","value":"21 degrees"}`. */
function toPlainText(output: unknown): unknown {
  if (isJsonObject(output) && (output['type'] === 'text' || output['type'] === 'json') && 'value' in output)
    return output['value']
  if (!Array.isArray(output) || output.length === 0) return output
  const texts = output.map(readContentPart).flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === output.length ? texts.join('\n') : output
}

/** Senders write arguments and results as text of JSON. Text that is none stays as it is. */
export function parseNested(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value) || value.length > maxNestedLength) return value
  try {
    return JSON.parse(value)
  } catch {
    // Models do write JSON that is none: it is shown as they wrote it.
    return value
  }
}

/** A larger one would take longer than a frame. */
const maxNestedLength = 1_048_576
