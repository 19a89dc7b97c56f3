import { compareText } from '../../contract/compare-text'
import type { ReceivedCost } from '../../contract/received-costs'

/** Cheapest prompt first within a currency, and `currency` before the others: different currencies are not compared. */
export function sortByPrice(costs: readonly ReceivedCost[], currency: string | null): ReceivedCost[] {
  const isOther = (cost: ReceivedCost) => Number(cost.prompt_token_cost_unit !== currency)
  return costs.toSorted(
    (left, right) =>
      isOther(left) - isOther(right) ||
      compareText(left.prompt_token_cost_unit ?? '', right.prompt_token_cost_unit ?? '') ||
      comparePrices(left.prompt_token_cost, right.prompt_token_cost) ||
      comparePrices(left.completion_token_cost, right.completion_token_cost),
  )
}

/** Prices that are not set come last. */
function comparePrices(left: number | null, right: number | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return left - right
}
