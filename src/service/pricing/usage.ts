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

/** The usage by model in the `usage` of a call's summary. Anything else in there is ignored: clients may send any JSON. */
export function parseUsage(value: unknown): Map<string, Usage> {
  return new Map(
    isJsonObject(value)
      ? Object.entries(value).flatMap(([model, counts]) =>
          isJsonObject(counts) ? [[model, parseModelUsage(counts)] as const] : [],
        )
      : [],
  )
}

/** Clients send either `prompt_tokens` or `input_tokens`; a call that adds up children of both kinds has both. */
function parseModelUsage(counts: Record<string, unknown>): Usage {
  const prompt = parseCount(counts['prompt_tokens']) + parseCount(counts['input_tokens'])
  const completion = parseCount(counts['completion_tokens']) + parseCount(counts['output_tokens'])
  return {
    requests: parseCount(counts['requests']),
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: parseCount(counts['total_tokens']) || prompt + completion,
    cache_read_input_tokens:
      parseCount(counts['cache_read_input_tokens']) ||
      parseCachedTokens(counts['prompt_tokens_details']) + parseCachedTokens(counts['input_tokens_details']),
    cache_creation_input_tokens: parseCount(counts['cache_creation_input_tokens']),
  }
}

function parseCachedTokens(details: unknown): number {
  return isJsonObject(details) ? parseCount(details['cached_tokens']) : 0
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
