import {
  addDecimals,
  type Decimal,
  divideDecimals,
  roundDecimal,
  shiftDecimal,
  splitDecimal,
  toDecimal,
} from '../../contract/decimal'
import { formatCount } from './count'

/** The change from one price to the next: `−20.0 %`, `+1,000 %`; undefined if one is unset or the first is 0. */
export function formatPriceChange(before: number | null | undefined, after: number | null | undefined): string | undefined {
  if (before === null || before === undefined || after === null || after === undefined) return undefined
  return formatDecimalChange(toDecimal(before), toDecimal(after))
}

/** The same of amounts. */
export function formatDecimalChange(before: Decimal, after: Decimal): string | undefined {
  if (before.digits === 0n) return undefined
  const difference = addDecimals(after, { ...before, digits: -before.digits })
  if (difference.digits === 0n) return 'no change'
  const percent = shiftDecimal(divideDecimals(difference, before), 2)
  const { sign, whole, fraction } = splitDecimal(roundDecimal(percent, 1))
  const tenths = fraction.padEnd(1, '0')
  if (whole === '0' && tenths === '0') return '±0.0 %'
  const size = whole.length > 2 ? formatCount(splitDecimal(roundDecimal(percent, 0)).whole) : `${whole}.${tenths}`
  return `${sign === '-' ? '−' : '+'}${size} %`
}
