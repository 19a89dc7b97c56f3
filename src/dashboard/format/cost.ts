import { roundToSignificantDigits, toDecimal, toNumber } from '../../contract/decimal'
import { formatPrice } from './money'

/** A sum of money for a list: cents, and three significant digits below one unit. */
export function formatCost(cost: number): string {
  const rounded = cost < 1 ? roundToSignificantDigits(toDecimal(cost), 3) : toDecimal(Math.round(cost * 100) / 100)
  return formatPrice(toNumber(rounded), 'token').text
}
