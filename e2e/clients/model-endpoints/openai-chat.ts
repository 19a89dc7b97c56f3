import * as z from 'zod/mini'
import { chooseReply, type Reply, type ReplyUsage, toVersion } from './choose-reply'
import { type EndpointResponse, respondWithError, respondWithEvents, respondWithJson } from './endpoint'
import { toText } from './to-text'

const ChatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.optional(z.unknown()) })),
  tools: z.optional(z.array(z.object({ function: z.object({ name: z.string() }) }))),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.object({ include_usage: z.optional(z.boolean()) }))),
})

/** `POST /chat/completions` of OpenAI. */
export function completeChat(body: unknown, replyNumber: number): EndpointResponse {
  const request = ChatRequest.parse(body)
  const last = request.messages.at(-1)
  const isTool = last?.role === 'tool'
  const text = toText(last?.content)
  const reply = chooseReply({
    text: isTool ? '' : text,
    toolResult: isTool ? text : undefined,
    tools: request.tools?.map((tool) => tool.function.name) ?? [],
  })
  if (reply.kind === 'error') return respondWithOpenAiError(reply.message)
  const model = toVersion(request.model)
  const served = { provider: 'openai', model, usage: { ...reply.usage, cacheWrite: 0 } }
  const id = `chatcmpl-double-${replyNumber}`
  const head = { id, created: 1_790_000_000, model, service_tier: 'default', system_fingerprint: 'fp_double' }
  const finish_reason = reply.kind === 'tool' ? 'tool_calls' : 'stop'
  const usage = toChatUsage(reply.usage)
  if (request.stream !== true) {
    const message = { role: 'assistant', refusal: null, annotations: [], ...toMessage(reply) }
    const choices = [{ index: 0, message, logprobs: null, finish_reason }]
    return respondWithJson({ ...head, object: 'chat.completion', choices, usage }, served)
  }
  const chunk = (delta: object, reason: string | null = null) => ({
    data: { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] },
  })
  const events = [
    chunk({ role: 'assistant', content: reply.kind === 'tool' ? null : '', refusal: null }),
    ...toDeltas(reply).map((delta) => chunk(delta)),
    chunk({}, finish_reason),
    ...(request.stream_options?.include_usage === true
      ? [{ data: { ...head, object: 'chat.completion.chunk', choices: [], usage } }]
      : []),
  ]
  return respondWithEvents(events, served, 'data: [DONE]\n\n')
}

export function respondWithOpenAiError(message: string): EndpointResponse {
  return respondWithError(400, { error: { message, type: 'invalid_request_error', param: null, code: 'refused' } })
}

type Said = Exclude<Reply, { kind: 'error' }>

function toMessage(reply: Said) {
  if (reply.kind === 'text') return { content: reply.text }
  const call = { name: reply.name, arguments: JSON.stringify(reply.input) }
  return { content: null, tool_calls: [{ id: 'call_double', type: 'function', function: call }] }
}

/** The text in two parts, or the call with its arguments in a part of their own. */
function toDeltas(reply: Said): object[] {
  if (reply.kind === 'text') {
    const middle = Math.ceil(reply.text.length / 2)
    return [{ content: reply.text.slice(0, middle) }, { content: reply.text.slice(middle) }]
  }
  const call = { id: 'call_double', type: 'function', function: { name: reply.name, arguments: '' } }
  return [
    { tool_calls: [{ index: 0, ...call }] },
    { tool_calls: [{ index: 0, function: { arguments: JSON.stringify(reply.input) } }] },
  ]
}

function toChatUsage({ input, output, cacheRead, reasoning }: ReplyUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
