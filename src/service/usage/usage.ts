import { isJsonObject } from '../../contract/json-value'
import { unknownSender, type UsageSender } from './usage-sender'

/**
 * Tokens of one model; 0 for what the client did not count. `prompt_tokens` includes cached tokens and `completion_tokens`
 * includes reasoning, whatever the client's way of counting.
 */
export type Usage = {
  requests: number
  prompt_tokens: number
  completion_tokens: number
  /** At least prompt and completion. More where the client counts tokens of other kinds, or sends nothing but a total. */
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

/**
 * The usage by model in the `usage` of a call's summary. Anything else in there is ignored: clients may send any JSON. This is
 * done when a call is read, because the parts of a call arrive separately: the end has the usage, the start says who sent it.
 */
export function parseUsage(value: unknown, sender: UsageSender = unknownSender): Map<string, DetailedUsage> {
  return new Map(
    isJsonObject(value)
      ? Object.entries(value).flatMap(([model, counts]) =>
          isJsonObject(counts) ? [[model, parseModelUsage(counts, sender)] as const] : [],
        )
      : [],
  )
}

type Counts = Record<string, unknown>

/** Clients send either `prompt_tokens` or `input_tokens`; a call that adds up children of both kinds has both. */
function parseModelUsage(counts: Counts, sender: UsageSender): DetailedUsage {
  const sentPrompt = parseCount(counts['prompt_tokens']) + parseCount(counts['input_tokens'])
  const total = parseCount(counts['total_tokens'])
  const completion = readCompletion(counts, sentPrompt)
  const cached = readCached(counts, sentPrompt, completion, sender)
  const prompt = readGrossPrompt(counts) ?? sentPrompt + cached.beside
  return limitParts({
    requests: parseCount(counts['requests']),
    prompt_tokens: prompt,
    completion_tokens: completion,
    // The total of a call that adds up children is that of the children that send one.
    total_tokens: Math.max(total, prompt + completion),
    cache_read_input_tokens: cached.read,
    cache_creation_input_tokens: cached.written,
    details: {
      inputAudioTokens: sumDetails(counts, inputDetails, 'audio_tokens'),
      cacheReadAudioTokens: sumCachedAudio(counts),
      cacheWrite1hTokens: sumDetails(counts, ['cache_creation'], 'ephemeral_1h_input_tokens'),
      outputAudioTokens: sumDetails(counts, outputDetails, 'audio_tokens'),
      reasoningTokens: readReasoning(counts),
    },
  })
}

/** Some clients say outright how many tokens the prompt has with the cached ones. */
function readGrossPrompt(counts: Counts): number | undefined {
  const gross = parseCount(counts['gross_input_tokens'])
  if (gross === 0) return undefined
  const [prompt, input] = [parseCount(counts['prompt_tokens']), parseCount(counts['input_tokens'])]
  return 'input_tokens' in counts ? prompt + Math.max(gross, input) : Math.max(gross, prompt)
}

function readReasoning(counts: Counts): number {
  return (
    sumDetails(counts, outputDetails, 'reasoning_tokens') ||
    parseCount(counts['reasoning_tokens']) ||
    parseCount(counts['thoughts_tokens'])
  )
}

function readCompletion(counts: Counts, sentPrompt: number): number {
  const sent = parseCount(counts['completion_tokens']) + parseCount(counts['output_tokens'])
  // Weave for Python has the thoughts of Gemini beside the completion.
  const withThoughts = sent + parseCount(counts['thoughts_tokens'])
  const reasoning = readReasoning(counts)
  // xAI counts reasoning beside the completion, and its total says so.
  const isBeside = withThoughts === sent && parseCount(counts['total_tokens']) === sentPrompt + sent + reasoning
  return isBeside ? sent + reasoning : withThoughts
}

/** Cached tokens, and how many of them the client counts beside the prompt. */
function readCached(counts: Counts, sentPrompt: number, completion: number, sender: UsageSender) {
  const read = parseCount(counts['cache_read_input_tokens'])
  const written = parseCount(counts['cache_creation_input_tokens'])
  const readInDetails = sumDetails(counts, inputDetails, 'cached_tokens')
  const writtenInDetails =
    sumDetails(counts, inputDetails, 'cache_write_tokens') || sumDetails(counts, inputDetails, 'cache_creation_tokens')
  const total = parseCount(counts['total_tokens'])
  if (!sender.isPromptWithCached && hasAnthropicCounts(counts, total, sentPrompt + completion)) {
    // The details are those of OpenAI's children, whose cached tokens are part of their prompt.
    const isRepeated = sender.repeatsDetails && read >= readInDetails && written >= writtenInDetails
    return isRepeated
      ? { read, written, beside: read - readInDetails + written - writtenInDetails }
      : { read: read + readInDetails, written: written + writtenInDetails, beside: read + written }
  }
  const cached = { read: Math.max(read, readInDetails), written: Math.max(written, writtenInDetails) }
  const sum = cached.read + cached.written
  // AWS Bedrock's total has the cached tokens on top. Where more is cached than the prompt has, it cannot be a part of it.
  const isBeside = total === sentPrompt + completion + sum || sum > sentPrompt
  return { ...cached, beside: isBeside ? sum : 0 }
}

/**
 * Whether the counts of cached tokens come from Anthropic, whose `input_tokens` are those after the cached ones: by their
 * names, or, in a call that adds up children of several providers, because there are tokens that are in no total. Of all
 * senders of `input_tokens` and cached tokens only Anthropic sends no total.
 */
function hasAnthropicCounts(counts: Counts, total: number, sum: number): boolean {
  if (!('input_tokens' in counts)) return false
  if (total > 0) return total < sum
  const hasDetails = [...inputDetails, ...outputDetails].some((name) => name in counts)
  return 'prompt_tokens' in counts || !hasDetails
}

/** Clients may report parts that are larger than the whole; the whole counts. */
function limitParts(usage: DetailedUsage): DetailedUsage {
  const { prompt_tokens: prompt, completion_tokens: completion, details } = usage
  const read = Math.min(usage.cache_read_input_tokens, prompt)
  const written = Math.min(usage.cache_creation_input_tokens, prompt - read)
  return {
    ...usage,
    total_tokens: Math.max(usage.total_tokens, prompt + completion),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    details: {
      inputAudioTokens: Math.min(details.inputAudioTokens, prompt),
      cacheReadAudioTokens: Math.min(details.cacheReadAudioTokens, details.inputAudioTokens, read),
      cacheWrite1hTokens: Math.min(details.cacheWrite1hTokens, written),
      outputAudioTokens: Math.min(details.outputAudioTokens, completion),
      reasoningTokens: Math.min(details.reasoningTokens, completion),
    },
  }
}

// The names of OpenAI's chat completions, responses and realtime API; `cache_creation` is Anthropic's, `cache_creation_tokens`
// LiteLLM's.
const inputDetails = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details']
const outputDetails = ['completion_tokens_details', 'output_tokens_details', 'output_token_details']

/** A call that adds up children of several kinds has several of these objects. */
function sumDetails(counts: Counts, objects: readonly string[], name: string): number {
  return objects.reduce((sum, object) => {
    const details = counts[object]
    return sum + (isJsonObject(details) ? parseCount(details[name]) : 0)
  }, 0)
}

/** OpenAI's realtime API tells audio and text apart among the cached tokens. */
function sumCachedAudio(counts: Counts): number {
  return inputDetails.reduce((sum, object) => {
    const details = counts[object]
    return sum + (isJsonObject(details) ? sumDetails(details, ['cached_tokens_details'], 'audio_tokens') : 0)
  }, 0)
}

function parseCount(value: unknown): number {
  const count = typeof value === 'number' ? Math.trunc(value) : 0
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

export function hasTokens(usage: Usage): boolean {
  return usage.prompt_tokens + usage.completion_tokens + usage.total_tokens > 0
}

export function addUsage(left: DetailedUsage, right: DetailedUsage): DetailedUsage {
  return combineUsage(left, right, (one, other) => one + other)
}

/** What is left of a usage without another one: nothing below zero, and no part larger than the whole. */
export function subtractUsage(usage: DetailedUsage, other: DetailedUsage): DetailedUsage {
  return limitParts(combineUsage(usage, other, (one, less) => Math.max(0, one - less)))
}

function combineUsage(
  left: DetailedUsage,
  right: DetailedUsage,
  combine: (left: number, right: number) => number,
): DetailedUsage {
  const [ofLeft, ofRight] = [left.details, right.details]
  return {
    requests: combine(left.requests, right.requests),
    prompt_tokens: combine(left.prompt_tokens, right.prompt_tokens),
    completion_tokens: combine(left.completion_tokens, right.completion_tokens),
    total_tokens: combine(left.total_tokens, right.total_tokens),
    cache_read_input_tokens: combine(left.cache_read_input_tokens, right.cache_read_input_tokens),
    cache_creation_input_tokens: combine(left.cache_creation_input_tokens, right.cache_creation_input_tokens),
    details: {
      inputAudioTokens: combine(ofLeft.inputAudioTokens, ofRight.inputAudioTokens),
      cacheReadAudioTokens: combine(ofLeft.cacheReadAudioTokens, ofRight.cacheReadAudioTokens),
      cacheWrite1hTokens: combine(ofLeft.cacheWrite1hTokens, ofRight.cacheWrite1hTokens),
      outputAudioTokens: combine(ofLeft.outputAudioTokens, ofRight.outputAudioTokens),
      reasoningTokens: combine(ofLeft.reasoningTokens, ofRight.reasoningTokens),
    },
  }
}
