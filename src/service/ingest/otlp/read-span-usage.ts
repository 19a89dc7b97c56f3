import type { AttributeReader } from './attributes/attribute-reader'
import { isCachedBeside, isReasoningBeside, readHeading, readTokens } from './conventions/conventions'

/** Weave's clients call a model without a name 'usage'. */
const unnamedModel = 'usage'

type ModelUsage = Record<string, number | Record<string, number>>

/**
 * `summary.usage` as Weave's clients send it; undefined for a span without token counts. Conventions differ in what
 * their counts include, usage does not: cached tokens and reasoning are part of them. `total_tokens` is worked out where it is missing:
 * Anthropic's own usage has none and counts cached tokens beside, so `parseUsage` can tell the two apart.
 */
export function readSpanUsage(span: AttributeReader): Record<string, ModelUsage> | undefined {
  const { input_audio_tokens, output_audio_tokens, ...tokens } = readTokens(span)
  if (Object.keys(tokens).length === 0) return undefined
  const { cache_read_input_tokens = 0, cache_creation_input_tokens = 0, reasoning_tokens = 0 } = tokens
  const allCached = cache_read_input_tokens + cache_creation_input_tokens
  const cached = allCached > 0 && isCachedBeside(span) ? allCached : 0
  const reasoning = reasoning_tokens > 0 && isReasoningBeside(span) ? reasoning_tokens : 0
  const input_tokens = tokens.input_tokens === undefined ? undefined : tokens.input_tokens + cached
  const output_tokens = tokens.output_tokens === undefined ? undefined : tokens.output_tokens + reasoning
  // A total that was sent beside leaves out the same tokens.
  const sentTotal = cached + reasoning > 0 ? undefined : tokens.total_tokens
  const isCounted = input_tokens !== undefined || output_tokens !== undefined
  const total_tokens = sentTotal ?? (isCounted ? (input_tokens ?? 0) + (output_tokens ?? 0) : undefined)
  const usage: ModelUsage = {
    requests: 1,
    ...tokens,
    ...(input_tokens === undefined ? {} : { input_tokens }),
    ...(output_tokens === undefined ? {} : { output_tokens }),
    ...(total_tokens === undefined ? {} : { total_tokens }),
    ...(input_audio_tokens === undefined ? {} : { input_tokens_details: { audio_tokens: input_audio_tokens } }),
    ...(output_audio_tokens === undefined ? {} : { output_tokens_details: { audio_tokens: output_audio_tokens } }),
  }
  // A computed key makes an own property even of the name '__proto__'.
  return { [readHeading(span, 'model') ?? unnamedModel]: usage }
}
