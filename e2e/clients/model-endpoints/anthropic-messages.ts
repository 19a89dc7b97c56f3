import * as z from 'zod/mini'
import { chooseReply, type Reply, type ReplyUsage, toVersion } from './choose-reply'
import { type EndpointResponse, respondWithError, respondWithEvents, respondWithJson } from './endpoint'
import { toText } from './to-text'

const ToolResult = z.object({ type: z.literal('tool_result'), content: z.optional(z.unknown()) })
const MessagesRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) })),
  tools: z.optional(z.array(z.object({ name: z.string() }))),
  stream: z.optional(z.boolean()),
})

/** `POST /v1/messages` of Anthropic, which counts cached tokens beside `input_tokens` and tells nothing of reasoning. */
export function createMessage(body: unknown, replyNumber: number): EndpointResponse {
  const request = MessagesRequest.parse(body)
  const content = request.messages.at(-1)?.content ?? ''
  const result = Array.isArray(content)
    ? content.map((part) => ToolResult.safeParse(part)).find(({ success }) => success)
    : undefined
  const reply = chooseReply({
    text: result ? '' : toText(content),
    toolResult: result && toText(result.data?.content),
    tools: request.tools?.map(({ name }) => name) ?? [],
  })
  if (reply.kind === 'error') {
    return respondWithError(400, { type: 'error', error: { type: 'invalid_request_error', message: reply.message } })
  }
  const model = toVersion(request.model)
  const served = { provider: 'anthropic', model, usage: { ...reply.usage, reasoning: 0 } }
  const block = toBlock(reply)
  const stop_reason = reply.kind === 'tool' ? 'tool_use' : 'end_turn'
  const message = {
    id: `msg_double_${replyNumber}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason,
    stop_sequence: null,
  }
  const usage = toMessageUsage(reply.usage)
  if (request.stream !== true) return respondWithJson({ ...message, usage }, served)
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  const events = [
    { type: 'message_start', message: start },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { ...block, ...(reply.kind === 'tool' ? { input: {} } : { text: '' }) },
    },
    { type: 'content_block_delta', index: 0, delta: toDelta(reply) },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: reply.usage.output } },
    { type: 'message_stop' },
  ]
  return respondWithEvents(
    events.map((data) => ({ name: data.type, data })),
    served,
  )
}

type Said = Exclude<Reply, { kind: 'error' }>

function toBlock(reply: Said) {
  return reply.kind === 'text'
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: 'toolu_double', name: reply.name, input: reply.input }
}

function toDelta(reply: Said) {
  return reply.kind === 'text'
    ? { type: 'text_delta', text: reply.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) }
}

function toMessageUsage({ input, cacheRead, cacheWrite, output }: ReplyUsage) {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}
