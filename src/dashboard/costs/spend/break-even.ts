import { type Decimal, divideDecimals, parsePlainDecimal, subtractDecimals, toDecimal, toNumber } from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { countPricedTokens, sumDecimals } from './spend-figures'

/** What one token costs on average, prompt and completion apart, in one currency. */
export type MixPrice = { prompt: Decimal; completion: Decimal }

/**
 * The share of completion tokens, 0 to 1, at which two prices cost the same: where the lines `prompt * (1 - x) + completion * x`
 * cross. Undefined where they do not cross between 0 and 1, or are the same line.
 */
export function findBreakEven(left: MixPrice, right: MixPrice): number | undefined {
  const gapAtZero = subtractDecimals(right.prompt, left.prompt)
  const gapAtOne = subtractDecimals(right.completion, left.completion)
  const slope = subtractDecimals(gapAtZero, gapAtOne)
  if (slope.digits === 0n) return undefined
  const share = toNumber(divideDecimals(gapAtZero, slope))
  return share >= 0 && share <= 1 ? share : undefined
}

/** What was paid for a prompt and a completion token on average, caches included. Undefined where it has no tokens of a kind. */
export function toPaidPrice(group: SpendGroup, currency: string): MixPrice | undefined {
  const cost = group.costs.find((each) => each.currency === currency)
  const tokens = countPricedTokens(group)
  if (!cost || tokens.prompt === 0 || tokens.completion === 0) return undefined
  const prompt = sumDecimals([cost.prompt, cost.cache_read, cost.cache_creation].map(parsePlainDecimal))
  return {
    prompt: divideDecimals(prompt, toDecimal(tokens.prompt)),
    completion: divideDecimals(parsePlainDecimal(cost.completion), toDecimal(tokens.completion)),
  }
}

/** The share of completion tokens among all tokens; undefined without tokens. */
export function toCompletionShare({ prompt_tokens: prompt, completion_tokens: completion }: SpendGroup): number | undefined {
  return prompt + completion === 0 ? undefined : completion / (prompt + completion)
}
