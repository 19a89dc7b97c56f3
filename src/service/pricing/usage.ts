import { isJsonObject } from '../../contract/json-value'

/** Tokens of one model as the client counted them; 0 for counts it did not send. Cached tokens are part of the prompt's. */
export type Usage = {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/**
 * Tokens of kinds that have prices of their own at some models; each is a part of the tokens above. They only decide what a
 * call costs and are not read back.
 */
export type TokenDetails = {
  inputAudioTokens: number
  cacheReadAudioTokens: number
  /** Cached to be kept for an hour rather than five minutes. */
  cacheWrite1hTokens: number
  outputAudioTokens: number
  reasoningTokens: number
}

/** The usage of one model with all that decides what it costs. */
export type DetailedUsage = Usage & { details: TokenDetails }

/** The usage by model in the `usage` of a call's summary. Anything else in there is ignored: clients may send any JSON. */
export function parseUsage(value: unknown): Map<string, DetailedUsage> {
  return new Map(
    isJsonObject(value)
      ? Object.entries(value).flatMap(([model, counts]) =>
          isJsonObject(counts) ? [[model, parseModelUsage(counts)] as const] : [],
        )
      : [],
  )
}

/** Clients send either `prompt_tokens` or `input_tokens`; a call that adds up children of both kinds has both. */
function parseModelUsage(counts: Record<string, unknown>): DetailedUsage {
  const prompt = parseCount(counts['prompt_tokens']) + parseCount(counts['input_tokens'])
  const completion = parseCount(counts['completion_tokens']) + parseCount(counts['output_tokens'])
  return {
    requests: parseCount(counts['requests']),
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: parseCount(counts['total_tokens']) || prompt + completion,
    cache_read_input_tokens: parseCount(counts['cache_read_input_tokens']) || sumDetails(counts, inputDetails, 'cached_tokens'),
    cache_creation_input_tokens: parseCount(counts['cache_creation_input_tokens']),
    details: {
      inputAudioTokens: sumDetails(counts, inputDetails, 'audio_tokens'),
      cacheReadAudioTokens: sumCachedAudio(counts),
      cacheWrite1hTokens: sumDetails(counts, ['cache_creation'], 'ephemeral_1h_input_tokens'),
      outputAudioTokens: sumDetails(counts, outputDetails, 'audio_tokens'),
      reasoningTokens: sumDetails(counts, outputDetails, 'reasoning_tokens') || parseCount(counts['reasoning_tokens']),
    },
  }
}

// The names of OpenAI's chat completions, responses and realtime API; `cache_creation` is Anthropic's.
const inputDetails = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details']
const outputDetails = ['completion_tokens_details', 'output_tokens_details', 'output_token_details']

/** A call that adds up children of several kinds has several of these objects. */
function sumDetails(counts: Record<string, unknown>, objects: readonly string[], name: string): number {
  return objects.reduce((sum, object) => {
    const details = counts[object]
    return sum + (isJsonObject(details) ? parseCount(details[name]) : 0)
  }, 0)
}

/** OpenAI's realtime API tells audio and text apart among the cached tokens. */
function sumCachedAudio(counts: Record<string, unknown>): number {
  return inputDetails.reduce((sum, object) => {
    const details = counts[object]
    return sum + (isJsonObject(details) ? sumDetails(details, ['cached_tokens_details'], 'audio_tokens') : 0)
  }, 0)
}

function parseCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}

export function hasTokens(usage: Usage): boolean {
  return usage.prompt_tokens + usage.completion_tokens + usage.total_tokens > 0
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    requests: left.requests + right.requests,
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
    cache_read_input_tokens: left.cache_read_input_tokens + right.cache_read_input_tokens,
    cache_creation_input_tokens: left.cache_creation_input_tokens + right.cache_creation_input_tokens,
  }
}
