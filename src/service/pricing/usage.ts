import { isJsonObject } from '../../contract/json-value'

/** Tokens of one model, as its client counted them; 0 for what it did not count. Cached tokens are part of the prompt's. */
export type Usage = {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/** What the `usage` of a call's summary says, by model. What is no usage is passed over: clients put what they like there. */
export function readUsage(usage: unknown): Map<string, Usage> {
  return new Map(
    isJsonObject(usage)
      ? Object.entries(usage).flatMap(([model, said]) => (isJsonObject(said) ? [[model, usageOf(said)] as const] : []))
      : [],
  )
}

/** Clients say either `prompt_tokens` or `input_tokens`; a call that summed up children of both kinds says both. */
function usageOf(said: Record<string, unknown>): Usage {
  const prompt = tokens(said['prompt_tokens']) + tokens(said['input_tokens'])
  const completion = tokens(said['completion_tokens']) + tokens(said['output_tokens'])
  return {
    requests: tokens(said['requests']),
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: tokens(said['total_tokens']) || prompt + completion,
    cache_read_input_tokens:
      tokens(said['cache_read_input_tokens']) ||
      tokens(detail(said['prompt_tokens_details'])) + tokens(detail(said['input_tokens_details'])),
    cache_creation_input_tokens: tokens(said['cache_creation_input_tokens']),
  }
}

function detail(details: unknown): unknown {
  return isJsonObject(details) ? details['cached_tokens'] : undefined
}

function tokens(count: unknown): number {
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0
}

export function hasTokens(usage: Usage): boolean {
  return usage.prompt_tokens + usage.completion_tokens + usage.total_tokens > 0
}

export function addUsage(sum: Usage, more: Usage): Usage {
  return {
    requests: sum.requests + more.requests,
    prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
    completion_tokens: sum.completion_tokens + more.completion_tokens,
    total_tokens: sum.total_tokens + more.total_tokens,
    cache_read_input_tokens: sum.cache_read_input_tokens + more.cache_read_input_tokens,
    cache_creation_input_tokens: sum.cache_creation_input_tokens + more.cache_creation_input_tokens,
  }
}
