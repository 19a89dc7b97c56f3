import { addDecimals, divideDecimals, roundDecimal, shiftDecimal, splitDecimal, toDecimal } from '../../contract/decimal'
import { formatCount } from './count'

/** The change from one price to the next: `−20.0 %`, `+1,000 %`; undefined if one is unset or the first is 0. */
export function formatPriceChange(before: number | null | undefined, after: number | null | undefined): string | undefined {
  if (before === null || before === undefined || after === null || after === undefined || before === 0) return undefined
  if (after === before) return 'no change'
  const difference = addDecimals(toDecimal(after), toDecimal(-before))
  const percent = shiftDecimal(divideDecimals(difference, toDecimal(before)), 2)
  const { sign, whole, fraction } = splitDecimal(roundDecimal(percent, 1))
  const tenths = fraction.padEnd(1, '0')
  if (whole === '0' && tenths === '0') return '±0.0 %'
  const size = whole.length > 2 ? formatCount(splitDecimal(roundDecimal(percent, 0)).whole) : `${whole}.${tenths}`
  return `${sign === '-' ? '−' : '+'}${size} %`
}
