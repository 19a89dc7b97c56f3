import {
  addDecimals,
  type Decimal,
  divideDecimals,
  parsePlainDecimal,
  shiftDecimal,
  subtractDecimals,
  toDecimal,
  toNumber,
  zero,
} from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { formatAmount } from '../../format/amount'
import { formatCount } from '../../format/count'

/** What a group cost in one currency; undefined where nothing of it has a price in that currency. */
export function readTotal(group: Pick<SpendGroup, 'costs'>, currency: string): Decimal | undefined {
  const cost = group.costs.find((each) => each.currency === currency)
  return cost && parsePlainDecimal(cost.total)
}

/** All currencies of these groups: USD first, as the wire sorts by it, then by name. */
export function listCurrencies(groups: readonly Pick<SpendGroup, 'costs'>[]): string[] {
  const currencies = new Set(groups.flatMap(({ costs }) => costs.map(({ currency }) => currency)))
  return [...currencies].toSorted((left, right) => Number(right === 'USD') - Number(left === 'USD') || (left < right ? -1 : 1))
}

export function countTokens({
  prompt_tokens,
  completion_tokens,
}: Pick<SpendGroup, 'prompt_tokens' | 'completion_tokens'>): number {
  return prompt_tokens + completion_tokens
}

/** The tokens that were paid for. A service may not tell; then it is known where all were. */
export function countPricedTokens(group: SpendGroup): { prompt: number; completion: number } {
  const isAll = group.unpriced_call_count === 0
  return {
    prompt: group.priced_prompt_tokens ?? (isAll ? group.prompt_tokens : 0),
    completion: group.priced_completion_tokens ?? (isAll ? group.completion_tokens : 0),
  }
}

/**
 * What was paid for a million tokens of any kind, those without a price left out, and the currency. Undefined where it is in
 * several, or not known.
 */
export function readBlendedPrice(group: SpendGroup): { amount: Decimal; currency: string } | undefined {
  const [currency, ...others] = listCurrencies([group])
  const total = currency === undefined || others.length > 0 ? undefined : readTotal(group, currency)
  const { prompt, completion } = countPricedTokens(group)
  if (!total || currency === undefined || prompt + completion === 0) return undefined
  return { amount: divideDecimals(shiftDecimal(total, 6), toDecimal(prompt + completion)), currency }
}

export function sumDecimals(values: Iterable<Decimal>): Decimal {
  let sum = zero
  for (const value of values) sum = addDecimals(sum, value)
  return sum
}

/** The part of a whole, 0 to 1; undefined where the whole is 0. */
export function toShare(part: Decimal, whole: Decimal): number | undefined {
  return whole.digits === 0n ? undefined : toNumber(divideDecimals(part, whole))
}

/** `12.5 %`, `<0.1 %`, `>99.9 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %'
  if (share < 1 && share >= 0.9995) return '>99.9 %'
  const [whole = '', tenths = ''] = (share * 100).toFixed(1).split('.')
  return `${formatCount(whole)}.${tenths} %`
}

/** `1.2M`, `340K`, `999`: for the axis of a chart and other places without room. */
export function formatShort(value: number): string {
  const [size, suffix] =
    value >= 1e12 ? [1e12, 'T'] : value >= 1e9 ? [1e9, 'B'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'K'] : [1, '']
  return `${Number((value / size).toPrecision(3))}${suffix}`
}

/** `+12.34`, `−0.50`, `±0.00`. */
export function formatDifference(before: Decimal, after: Decimal): string {
  const difference = subtractDecimals(after, before)
  const { text } = formatAmount(difference)
  return difference.digits > 0n ? `+${text}` : difference.digits === 0n ? `±${text}` : text
}
