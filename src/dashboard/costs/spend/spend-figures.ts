import {
  addDecimals,
  type Decimal,
  divideDecimals,
  formatPlainDecimal,
  parsePlainDecimal,
  roundDecimal,
  roundToSignificantDigits,
  shiftDecimal,
  splitDecimal,
  subtractDecimals,
  toDecimal,
  toNumber,
  zero,
} from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
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

/** The price that was paid for a million tokens of any kind; undefined without tokens. */
export function toBlendedPrice(total: Decimal, tokenCount: number): Decimal | undefined {
  return tokenCount === 0 ? undefined : divideDecimals(shiftDecimal(total, 6), toDecimal(tokenCount))
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

/** `12.5 %`, `<0.1 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %'
  return `${(share * 100).toFixed(1)} %`
}

/** `pointIndex`: where the part begins that stands right of the point. A column aligns its amounts there. */
export type FormattedAmount = { text: string; exact: string; pointIndex: number }

/** A sum of money: cents, and three significant digits below one unit, so that a tiny sum is never shown as nothing. */
export function formatAmount(amount: Decimal): FormattedAmount {
  const isSmall = toNumber(amount) < 1 && toNumber(amount) > -1
  const rounded = isSmall ? roundToSignificantDigits(amount, 3) : roundDecimal(amount, 2)
  const { sign, whole, fraction } = splitDecimal(amount.digits === 0n ? zero : rounded)
  const wholeText = `${sign === '-' ? '−' : ''}${formatCount(whole)}`
  return {
    text: `${wholeText}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`,
    exact: formatPlainDecimal(amount),
    pointIndex: wholeText.length,
  }
}

/** `1.2M`, `340K`, `999`: for the axis of a chart and other places without room. */
export function formatShort(value: number): string {
  const [size, suffix] = value >= 1e9 ? [1e9, 'B'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'K'] : [1, '']
  return `${Number((value / size).toPrecision(3))}${suffix}`
}

/** `+12.34`, `−0.50`, `±0.00`. */
export function formatDifference(before: Decimal, after: Decimal): string {
  const difference = subtractDecimals(after, before)
  const { text } = formatAmount(difference)
  return difference.digits > 0n ? `+${text}` : difference.digits === 0n ? `±${text}` : text
}
