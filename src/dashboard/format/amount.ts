import {
  type Decimal,
  formatPlainDecimal,
  parsePlainDecimal,
  roundDecimal,
  roundToSignificantDigits,
  shiftDecimal,
  splitDecimal,
  toNumber,
  zero,
} from '../../contract/decimal'
import { formatCount } from './count'
import { formatVisibleText } from './visible-text'

/** `pointIndex`: where the part begins that stands right of the point. A column aligns its amounts there. */
export type FormattedAmount = { text: string; exact: string; pointIndex: number }

/**
 * A sum of money: cents, and three significant digits below one unit, so that a tiny sum is never shown as nothing. From a
 * billion on it has six significant digits: no column has room for more.
 *
 * @example formatAmount(parsePlainDecimal('3317284042800853.48')).text // '3,317.28T'
 */
export function formatAmount(amount: Decimal): FormattedAmount {
  const size = Math.abs(toNumber(amount))
  const { shift, suffix } = sizes.find(({ from }) => size >= from) ?? { shift: 0, suffix: '' }
  const rounded = suffix
    ? roundToSignificantDigits(shiftDecimal(amount, -shift), 6)
    : size < 1
      ? roundToSignificantDigits(amount, 3)
      : roundDecimal(amount, 2)
  const { sign, whole, fraction } = splitDecimal(amount.digits === 0n ? zero : rounded)
  const wholeText = `${sign === '-' ? '−' : ''}${formatCount(whole)}`
  return {
    text: `${wholeText}.${fraction.replace(/0+$/, '').padEnd(2, '0')}${suffix}`,
    exact: formatPlainDecimal(amount),
    pointIndex: wholeText.length,
  }
}

const sizes = [
  { from: 1e12, shift: 12, suffix: 'T' },
  { from: 1e9, shift: 9, suffix: 'B' },
]

/** A sum of money for a list: as `formatAmount`, and nothing is `free`. */
export function formatCost(total: string): string {
  const amount = parsePlainDecimal(total)
  return amount.digits === 0n ? 'free' : formatAmount(amount).text
}

// As a price in the catalog may name it: free text of up to 64 characters.
const maxCurrencyLength = 12

/** A currency beside a figure, which it must not push away. The tooltip of the figure has all of it. */
export function formatCurrency(currency: string): string {
  const characters = Array.from(formatVisibleText(currency))
  return characters.length <= maxCurrencyLength ? characters.join('') : `${characters.slice(0, maxCurrencyLength - 1).join('')}…`
}
