import * as z from 'zod/mini'
import { type EndpointResponse, respondWithJson } from './endpoint'

const EmbeddingsRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.unknown())]),
  encoding_format: z.optional(z.nullable(z.string())),
})

/** `POST /embeddings` of OpenAI. */
export function embed(body: unknown): EndpointResponse {
  const { model, input, encoding_format: format } = EmbeddingsRequest.parse(body)
  const texts = typeof input === 'string' ? [input] : input
  const vector = [0.25, -0.5, 0.75]
  const embedding = format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
  const tokens = 8 * texts.length
  const data = texts.map((_, index) => ({ object: 'embedding', index, embedding }))
  const usage = { input: tokens, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return respondWithJson(
    { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    { provider: 'openai', model, usage },
  )
}
