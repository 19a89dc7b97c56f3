import type { TreeCall } from '../../../contract/call-tree'
import { parsePlainDecimal, roundDecimal, roundToSignificantDigits, splitDecimal } from '../../../contract/decimal'
import { formatCount } from '../../format/count'

type Spent = Pick<TreeCall, 'prompt_tokens' | 'completion_tokens' | 'costs'>

/**
 * A sum of money for a list: cents, and three significant digits below one unit. It is rounded as a decimal.
 *
 * @example formatCost('0.0012345') // '0.00123'
 */
export function formatCost(total: string): string {
  const decimal = parsePlainDecimal(total)
  if (decimal.digits === 0n) return 'free'
  const isBelowOne = splitDecimal(decimal).whole === '0'
  const { sign, whole, fraction } = splitDecimal(isBelowOne ? roundToSignificantDigits(decimal, 3) : roundDecimal(decimal, 2))
  return `${sign}${formatCount(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** `0.00123 USD`; null where nothing has a price. Different currencies cannot be added. */
export function formatCosts(costs: Spent['costs']): string | null {
  return costs.map(({ currency, total }) => `${formatCost(total)} ${currency}`).join(', ') || null
}

/** Null where the call used no model. */
export function countTokens({ prompt_tokens: prompt, completion_tokens: completion }: Spent): number | null {
  return prompt + completion === 0 ? null : prompt + completion
}
