import type { TreeCall } from '../../../contract/call-tree'
import { formatCost, formatCurrency } from '../../format/amount'

type Spent = Pick<TreeCall, 'prompt_tokens' | 'completion_tokens' | 'costs'>

/** `0.00123 USD` or `free`; null where nothing has a price. Different currencies cannot be added. */
export function formatCosts(costs: Readonly<Spent['costs']>): string | null {
  const sums = costs.map(({ currency, total }) => {
    const sum = formatCost(total)
    return sum === 'free' ? sum : `${sum} ${formatCurrency(currency)}`
  })
  return sums.join(', ') || null
}

/** Null where the call used no model. */
export function countTokens({ prompt_tokens: prompt, completion_tokens: completion }: Spent): number | null {
  return prompt + completion === 0 ? null : prompt + completion
}
