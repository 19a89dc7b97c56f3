import type { CallCost } from '../../contract/calls'
import { addDecimals, type Decimal, multiplyDecimals, toDecimal, toNumber } from '../../contract/decimal'
import type { Price } from './price-book'
import { type Rates, rateAt, type TokenKind, tokenKinds } from './token-rates'
import { type DetailedUsage, hasTokens } from '../usage/usage'

/** Exact amounts, in the units of the price record; null where it has no price for these tokens. */
export type Amounts = {
  prompt: Decimal | null
  completion: Decimal | null
  cacheRead: Decimal | null
  cacheCreation: Decimal | null
  /** What the requests cost by themselves, beside their tokens. Few models have such a price. */
  requests: Decimal | null
}

/** The properties (see `tokenKinds`) of the tokens that an amount is for. */
const propertyOfAmount = { completion: 'out', cacheRead: 'read', cacheCreation: 'write' } as const

/**
 * What a usage costs at a price: each token once, at the price of the most special kind that it belongs to and that has a
 * price. So cached tokens without a cache price are charged as prompt. `inputTokens` decides about steps for long prompts;
 * where `usage` is the sum of several calls, it is that of any of them.
 */
export function calculateAmounts(
  usage: DetailedUsage,
  { rates }: Pick<Price, 'rates'>,
  inputTokens: number = usage.prompt_tokens,
): Amounts {
  const counts = countTokens(usage)
  const amounts: Amounts = { prompt: null, completion: null, cacheRead: null, cacheCreation: null, requests: null }
  for (const [kind, tokens] of splitTokens(counts, [...rates.byKind.keys()])) {
    const rate = rates.byKind.get(kind)
    if (!rate) continue
    const name = amountOfKind(kind)
    const amount = multiplyDecimals(rateAt(rate, inputTokens), toDecimal(tokens))
    amounts[name] = amounts[name] ? addDecimals(amounts[name], amount) : amount
  }
  if (rates.perRequest) amounts.requests = multiplyDecimals(rates.perRequest, toDecimal(Math.max(1, usage.requests)))
  return amounts
}

/** The amounts that there are, each with its currency. Cached tokens and requests are charged in that of the prompt. */
export function* listAmounts(
  { completion, ...others }: Amounts,
  { record }: Pick<Price, 'record'>,
): Generator<{ name: keyof Amounts; currency: string; amount: Decimal }> {
  for (const name of ['prompt', 'cacheRead', 'cacheCreation', 'requests'] as const) {
    const amount = others[name]
    if (amount) yield { name, currency: record.prompt_token_cost_unit, amount }
  }
  if (completion) yield { name: 'completion', currency: record.completion_token_cost_unit, amount: completion }
}

function amountOfKind(kind: TokenKind): 'prompt' | keyof typeof propertyOfAmount {
  const properties: readonly string[] = tokenKinds[kind].properties
  const names = Object.keys(propertyOfAmount) as (keyof typeof propertyOfAmount)[] // Object.keys() loses the type
  return names.find((name) => properties.includes(propertyOfAmount[name])) ?? 'prompt'
}

/** The tokens of each kind, those of its parts included. */
function countTokens(usage: DetailedUsage): Record<TokenKind, number> {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written, details } = usage
  return {
    input: usage.prompt_tokens,
    cacheRead: read,
    cacheWrite: written,
    cacheWrite1h: details.cacheWrite1hTokens,
    inputAudio: details.inputAudioTokens,
    cacheReadAudio: details.cacheReadAudioTokens,
    output: usage.completion_tokens,
    outputReasoning: details.reasoningTokens,
    outputAudio: details.outputAudioTokens,
  }
}

/** How many tokens are charged as each of these kinds: those of no more special kind among them. */
function splitTokens(counts: Readonly<Record<TokenKind, number>>, kinds: readonly TokenKind[]): Map<TokenKind, number> {
  const remaining = new Map<TokenKind, number>()
  const mostSpecialFirst = kinds.toSorted(
    (left, right) => tokenKinds[right].properties.length - tokenKinds[left].properties.length,
  )
  for (const kind of mostSpecialFirst) {
    let inParts = 0
    for (const [other, tokens] of remaining) if (isPartOf(other, kind)) inParts += tokens
    // Clients may report more special tokens than tokens.
    remaining.set(kind, Math.max(0, counts[kind] - inParts))
  }
  return remaining
}

function isPartOf(part: TokenKind, whole: TokenKind): boolean {
  const properties: readonly string[] = tokenKinds[part].properties
  return part !== whole && tokenKinds[whole].properties.every((property) => properties.includes(property))
}

/** The wire's `summary.weave.costs` of one model. */
export function calculateCallCost(usage: DetailedUsage, price: Price): CallCost {
  const { record, rates } = price
  const amounts = calculateAmounts(usage, price)
  const { input } = countTokens(usage)
  const isOwn = record.project_id !== ''
  const { details: _, ...counts } = usage
  return {
    ...counts,
    prompt_token_cost: toCost(rates, 'input', input),
    completion_token_cost: toCost(rates, 'output', input),
    cache_read_input_token_cost: toCost(rates, 'cacheRead', input),
    cache_creation_input_token_cost: toCost(rates, 'cacheWrite', input),
    prompt_tokens_total_cost: toNumberOrNull(amounts.prompt),
    completion_tokens_total_cost: toNumberOrNull(amounts.completion),
    cache_read_input_tokens_total_cost: toNumberOrNull(amounts.cacheRead),
    cache_creation_input_tokens_total_cost: toNumberOrNull(amounts.cacheCreation),
    ...(amounts.requests && { requests_total_cost: toNumber(amounts.requests) }),
    prompt_token_cost_unit: record.prompt_token_cost_unit,
    completion_token_cost_unit: record.completion_token_cost_unit,
    effective_date: record.effective_date,
    provider_id: record.provider_id,
    pricing_level: isOwn ? 'project' : 'default',
    pricing_level_id: isOwn ? record.project_id : 'default',
    created_at: record.created_at,
    created_by: isOwn ? record.created_by || null : 'system',
  }
}

/** The price of one token of this kind, in the step that the call is in. */
function toCost(rates: Rates, kind: TokenKind, inputTokens: number): number | null {
  const rate = rates.byKind.get(kind)
  return rate ? toNumber(rateAt(rate, inputTokens)) : null
}

function toNumberOrNull(amount: Decimal | null): number | null {
  return amount && toNumber(amount)
}

/** Whether all tokens of a usage have a price. */
export function isFullyPriced(usage: DetailedUsage, price: Price | undefined): boolean {
  if (!hasTokens(usage)) return true
  // A client that reports only a total does not say how many of the tokens have which price.
  if (!price || usage.prompt_tokens + usage.completion_tokens === 0) return false
  return (
    (usage.prompt_tokens === 0 || price.rates.byKind.has('input')) &&
    (usage.completion_tokens === 0 || price.rates.byKind.has('output'))
  )
}
