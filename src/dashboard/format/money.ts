import {
  type Decimal,
  formatPlainDecimal,
  roundDecimal,
  roundToSignificantDigits,
  shiftDecimal,
  splitDecimal,
  toDecimal,
} from '../../contract/decimal'
import { formatCount } from './count'

export const priceUnits = ['token', '1K', '1M'] as const
/** The number of tokens that a shown price is for; the wire has prices per token. */
export type PriceUnit = (typeof priceUnits)[number]

const decimalShift: Record<PriceUnit, number> = { token: 0, '1K': 3, '1M': 6 }

/**
 * A price for a cell. `text` has up to six significant digits and at least two decimals, `exact` has all digits;
 * `fractionDigits` lets a column align the decimal points. Unset, free and tiny prices look different.
 */
export type FormattedPrice =
  | { kind: 'unset'; text: 'not set'; exact: 'not set' }
  | { kind: 'free'; text: 'free'; exact: '0' }
  | { kind: 'amount'; text: string; exact: string; fractionDigits: number }

const maxSignificantDigits = 6
// Nobody counts more zeros than this: such a price is written as a power of ten.
const maxLeadingZeros = 11

export function formatPrice(perToken: number | null | undefined, unit: PriceUnit): FormattedPrice {
  if (perToken === null || perToken === undefined) return { kind: 'unset', text: 'not set', exact: 'not set' }
  if (perToken === 0) return { kind: 'free', text: 'free', exact: '0' }
  const decimal = shiftDecimal(toDecimal(perToken), decimalShift[unit])
  const { whole, fraction } = splitDecimal(decimal)
  const leadingZeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  if (leadingZeros > maxLeadingZeros)
    return { kind: 'amount', text: formatScientific(decimal), exact: formatPlainDecimal(decimal), fractionDigits: 0 }
  const places = whole === '0' ? leadingZeros + maxSignificantDigits : Math.max(2, maxSignificantDigits - whole.length)
  const rounded = splitDecimal(roundDecimal(decimal, places))
  const shownFraction = rounded.fraction.replace(/0+$/, '').padEnd(2, '0')
  return {
    kind: 'amount',
    text: `${rounded.sign}${formatCount(rounded.whole)}.${shownFraction}`,
    exact: formatPlainDecimal(decimal),
    fractionDigits: shownFraction.length,
  }
}

/** `1.23457e-20`: up to six digits and the power of ten. */
function formatScientific(decimal: Decimal): string {
  const { digits, scale } = roundToSignificantDigits(decimal, maxSignificantDigits)
  const [first = '', ...rest] = String(digits)
  const more = rest.join('').replace(/0+$/, '')
  return `${first}${more && `.${more}`}e${String(digits).length - 1 - scale}`
}

/** The largest number of decimals in a column. Shorter prices are padded to it, so that the decimal points align. */
export function maxFractionDigits(prices: Iterable<number | null | undefined>, unit: PriceUnit): number {
  let widest = 0
  for (const price of prices) {
    const shown = formatPrice(price, unit)
    if (shown.kind === 'amount') widest = Math.max(widest, shown.fractionDigits)
  }
  return widest
}

/** Completion price divided by prompt price; undefined if one is unset or the prompt is free. */
export function priceRatio(prompt: number | null | undefined, completion: number | null | undefined): number | undefined {
  if (prompt === null || prompt === undefined || completion === null || completion === undefined || prompt === 0) return undefined
  return completion / prompt
}

/** `4.00×`; three significant digits below 0.1, no decimals from 1,000 on. */
export function formatRatio(ratio: number): string {
  if (ratio >= 1000) return `${formatCount(String(Math.round(ratio)))}×`
  return `${ratio !== 0 && ratio < 0.1 ? String(Number(ratio.toPrecision(3))) : formatTwoDecimals(ratio)}×`
}

function formatTwoDecimals(value: number): string {
  const [whole = '0', fraction = '00'] = value.toFixed(2).split('.')
  return `${formatCount(whole)}.${fraction}`
}

/** The change from one price to the next: `−20.0 %`, `+1,000 %`; undefined if one is unset or the first is 0. */
export function formatChange(before: number | null | undefined, after: number | null | undefined): string | undefined {
  if (before === null || before === undefined || after === null || after === undefined || before === 0) return undefined
  const percent = (after / before - 1) * 100
  const size = Math.abs(percent)
  if (size < 0.05) return after === before ? 'no change' : '±0.0 %'
  const text = size >= 100 ? formatCount(String(Math.round(size))) : size.toFixed(1)
  return `${percent < 0 ? '−' : '+'}${text} %`
}
