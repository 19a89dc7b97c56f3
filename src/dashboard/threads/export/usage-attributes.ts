import * as z from 'zod/mini'
import { isJsonObject } from '../../../contract/json-value'
import { ReceivedNumber } from '../../../contract/received'

const Usage = z.object({
  prompt_tokens: ReceivedNumber,
  input_tokens: ReceivedNumber,
  completion_tokens: ReceivedNumber,
  output_tokens: ReceivedNumber,
  cache_read_input_tokens: ReceivedNumber,
  cache_creation_input_tokens: ReceivedNumber,
})

/**
 * The tokens of a call as OpenTelemetry names them: those of the model that it spent most on. Costs have them in one way of
 * counting, whatever the client's. A call above others with tokens has none: Weave's clients add them up, and spans do not.
 */
export function toUsageAttributes(
  model: string | null,
  receivedSummary: unknown,
  sentSummary: unknown,
  isAboveUsage: boolean,
): Record<string, string | number> {
  if (model === null || isAboveUsage) return {}
  const counted = find(receivedSummary, ['weave', 'costs', model]) ?? find(sentSummary, ['usage', model])
  const usage = z.safeParse(Usage, counted).data
  if (!usage) return { 'gen_ai.request.model': model }
  const counts = {
    'gen_ai.usage.input_tokens': usage.prompt_tokens ?? usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens ?? usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens || null,
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_input_tokens || null,
  }
  const known = Object.entries(counts).flatMap(([key, count]) => (count === null ? [] : [[key, count] as const]))
  return { 'gen_ai.request.model': model, ...Object.fromEntries(known) }
}

function find(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value)
}
