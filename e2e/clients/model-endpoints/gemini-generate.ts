import * as z from 'zod/mini'
import { chooseReply, type Reply } from './choose-reply'
import { type EndpointResponse, respondWithError, respondWithEvents, respondWithJson } from './endpoint'

const Part = z.object({
  text: z.optional(z.string()),
  functionResponse: z.optional(z.object({ response: z.unknown() })),
})
const GenerateRequest = z.object({
  contents: z.array(z.object({ parts: z.array(Part) })),
  tools: z.optional(z.array(z.object({ functionDeclarations: z.optional(z.array(z.object({ name: z.string() }))) }))),
})

/** `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent?alt=sse` of Gemini. */
export function generateContent(body: unknown, model: string, isStream: boolean, replyNumber: number): EndpointResponse {
  const { contents, tools = [] } = GenerateRequest.parse(body)
  const parts = contents.at(-1)?.parts ?? []
  const result = parts.find(({ functionResponse }) => functionResponse !== undefined)?.functionResponse?.response
  const reply = chooseReply({
    text: result === undefined ? parts.map(({ text = '' }) => text).join('') : '',
    toolResult: result === undefined ? undefined : JSON.stringify(result),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  })
  if (reply.kind === 'error') {
    return respondWithError(400, { error: { code: 400, message: reply.message, status: 'INVALID_ARGUMENT' } })
  }
  const { input, output, cacheRead, reasoning } = reply.usage
  const candidate = { content: { role: 'model', parts: [toPart(reply)] }, finishReason: 'STOP', index: 0 }
  // Gemini counts what it thinks beside the candidates.
  const usageMetadata = {
    promptTokenCount: input,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  }
  const response = { candidates: [candidate], usageMetadata, modelVersion: model, responseId: `gemini-double-${replyNumber}` }
  const served = { provider: 'google', model, usage: { ...reply.usage, cacheWrite: 0 } }
  return isStream ? respondWithEvents([{ data: response }], served) : respondWithJson(response, served)
}

function toPart(reply: Exclude<Reply, { kind: 'error' }>) {
  return reply.kind === 'text' ? { text: reply.text } : { functionCall: { name: reply.name, args: reply.input } }
}
