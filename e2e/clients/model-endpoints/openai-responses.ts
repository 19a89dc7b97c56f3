import * as z from 'zod/mini'
import { chooseReply, type Reply, type ReplyUsage, toVersion } from './choose-reply'
import { type EndpointResponse, respondWithEvents, respondWithJson } from './endpoint'
import { respondWithOpenAiError } from './openai-chat'
import { toText } from './to-text'

const Item = z.object({
  type: z.optional(z.string()),
  content: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
})
const ResponsesRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.optional(z.nullable(z.string())),
  tools: z.optional(z.nullable(z.array(z.object({ name: z.optional(z.string()) })))),
  stream: z.optional(z.nullable(z.boolean())),
})
type ResponsesRequest = z.infer<typeof ResponsesRequest>

const fixedSettings = {
  created_at: 1_790_000_000,
  background: false,
  error: null,
  incomplete_details: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** `POST /responses` of OpenAI. */
export function createResponse(body: unknown, replyNumber: number): EndpointResponse {
  const request = ResponsesRequest.parse(body)
  const reply = chooseReply(toQuestion(request))
  if (reply.kind === 'error') return respondWithOpenAiError(reply.message)
  const model = toVersion(request.model)
  const served = { provider: 'openai', model, usage: { ...reply.usage, cacheWrite: 0 } }
  const usage = toResponsesUsage(reply.usage)
  const settings = { ...fixedSettings, instructions: request.instructions ?? null, tools: request.tools ?? [] }
  const response = {
    id: `resp_double_${replyNumber}`,
    object: 'response',
    status: 'completed',
    model,
    output: [toItem(reply)],
    usage,
    ...settings,
  }
  return request.stream === true ? respondWithEvents(toEvents(reply, response), served) : respondWithJson(response, served)
}

function toQuestion({ input, tools }: ResponsesRequest) {
  const names = tools?.flatMap(({ name }) => name ?? []) ?? []
  if (typeof input === 'string') return { text: input, toolResult: undefined, tools: names }
  const last = input.at(-1)
  return last?.type === 'function_call_output'
    ? { text: '', toolResult: toText(last.output), tools: names }
    : { text: toText(last?.content), toolResult: undefined, tools: names }
}

type Said = Exclude<Reply, { kind: 'error' }>

function toItem(reply: Said) {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }]
    return { id: 'msg_double', type: 'message', status: 'completed', role: 'assistant', content }
  }
  const { name, input } = reply
  return {
    id: 'fc_double',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_double',
    name,
    arguments: JSON.stringify(input),
  }
}

function toEvents(reply: Said, response: object) {
  const item = toItem(reply)
  const place = { output_index: 0, item_id: item.id }
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', ...toEmpty(reply) } },
    ...(reply.kind === 'text'
      ? [
          {
            type: 'response.content_part.added',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          },
          { type: 'response.output_text.delta', ...place, content_index: 0, delta: reply.text, logprobs: [] },
          { type: 'response.output_text.done', ...place, content_index: 0, text: reply.text, logprobs: [] },
          {
            type: 'response.content_part.done',
            ...place,
            content_index: 0,
            part: { type: 'output_text', text: reply.text, annotations: [] },
          },
        ]
      : [
          { type: 'response.function_call_arguments.delta', ...place, delta: JSON.stringify(reply.input) },
          { type: 'response.function_call_arguments.done', ...place, arguments: JSON.stringify(reply.input) },
        ]),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]
  return events.map((event, index) => ({ name: String(event['type']), data: { ...event, sequence_number: index } }))
}

function toEmpty(reply: Said): object {
  return reply.kind === 'text' ? { content: [] } : { arguments: '' }
}

function toResponsesUsage({ input, output, cacheRead, reasoning }: ReplyUsage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
