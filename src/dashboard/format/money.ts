import {
  type Decimal,
  divideDecimals,
  formatPlainDecimal,
  roundDecimal,
  roundToSignificantDigits,
  shiftDecimal,
  splitDecimal,
  toDecimal,
  toNumber,
} from '../../contract/decimal'
import { formatCount } from './count'

export const priceUnits = ['token', '1K', '1M'] as const
/** The number of tokens that a shown price is for; the wire has prices per token. */
export type PriceUnit = (typeof priceUnits)[number]

const decimalShift: Record<PriceUnit, number> = { token: 0, '1K': 3, '1M': 6 }

/**
 * A price for a cell. `text` has up to six significant digits and at least two decimals, `exact` has all digits. Unset, free
 * and tiny prices look different.
 */
export type FormattedPrice =
  | { kind: 'unset'; text: 'not set'; exact: 'not set' }
  | { kind: 'free'; text: 'free'; exact: '0' }
  | {
      kind: 'amount'
      text: string
      exact: string
      /** Where the part of `text` begins that stands right of the digits before the point. A column aligns its prices there. */
      pointIndex: number
      isRounded: boolean
    }

const maxSignificantDigits = 6
// Nobody counts more zeros than this: such a price is written as a power of ten.
const maxLeadingZeros = 11

export function formatPrice(perToken: number | null | undefined, unit: PriceUnit): FormattedPrice {
  if (perToken === null || perToken === undefined) return { kind: 'unset', text: 'not set', exact: 'not set' }
  if (perToken === 0) return { kind: 'free', text: 'free', exact: '0' }
  const decimal = shiftDecimal(toDecimal(perToken), decimalShift[unit])
  const { whole, fraction } = splitDecimal(decimal)
  const leadingZeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const exact = formatPlainDecimal(decimal)
  if (leadingZeros > maxLeadingZeros) {
    return { kind: 'amount', text: formatScientific(decimal), exact, pointIndex: 1, isRounded: true }
  }
  const places = whole === '0' ? leadingZeros + maxSignificantDigits : Math.max(2, maxSignificantDigits - whole.length)
  const rounded = roundDecimal(decimal, places)
  const shown = splitDecimal(rounded)
  const wholeText = shown.sign + formatCount(shown.whole)
  return {
    kind: 'amount',
    text: `${wholeText}.${shown.fraction.replace(/0+$/, '').padEnd(2, '0')}`,
    exact,
    pointIndex: wholeText.length,
    isRounded: formatPlainDecimal(rounded) !== exact,
  }
}

/** `1.23457e-20`: up to six digits and the power of ten. */
function formatScientific(decimal: Decimal): string {
  const { digits, scale } = roundToSignificantDigits(decimal, maxSignificantDigits)
  const [first = '', ...rest] = String(digits)
  const more = rest.join('').replace(/0+$/, '')
  return `${first}${more && `.${more}`}e${String(digits).length - 1 - scale}`
}

/** Completion price divided by prompt price; undefined if one is unset, the prompt is free, or no double holds it. */
export function priceRatio(prompt: number | null | undefined, completion: number | null | undefined): number | undefined {
  if (prompt === null || prompt === undefined || completion === null || completion === undefined || prompt === 0) return undefined
  const ratio = toNumber(divideDecimals(toDecimal(completion), toDecimal(prompt)))
  return Number.isFinite(ratio) ? ratio : undefined
}

/** `4.00×`; three significant digits below 0.1, no decimals from 1,000 on. */
export function formatRatio(ratio: number): string {
  const decimal = toDecimal(ratio)
  if (ratio !== 0 && ratio < 0.1) return `${formatPlainDecimal(roundToSignificantDigits(decimal, 3))}×`
  const places = ratio >= 1000 ? 0 : 2
  const { whole, fraction } = splitDecimal(roundDecimal(decimal, places))
  return `${formatCount(whole)}${places === 0 ? '' : `.${fraction.padEnd(places, '0')}`}×`
}

/**
 * The characters from the point on by which the points of a column are aligned. A figure with far more of them than most is
 * left out, and stands alone: aligned with it, all others would stand far from the edge of their column.
 *
 * @example toCommonTail([3, 3, 5, 19]) // 5
 */
export function toCommonTail(tails: readonly number[]): number {
  const sorted = tails.filter((tail) => tail > 0).toSorted((left, right) => left - right)
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return Math.max(0, ...sorted.filter((tail) => tail <= median + maxTailExcess))
}

const maxTailExcess = 6
