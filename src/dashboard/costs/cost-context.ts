import type { Cost } from '../../contract/costs'
import type { Zone } from '../format/instant'
import { type PriceUnit, widestFraction } from '../format/money'
import type { CostContext } from './cost-columns'

/** What the cells of these rows share: the unit, the points' place, and the currency if there is but one. */
export function costContext(costs: readonly Cost[], unit: PriceUnit, zone: Zone): CostContext {
  const currencies = currenciesOf(costs)
  return {
    unit,
    zone,
    currency: currencies.length <= 1 ? (currencies[0] ?? '') : undefined,
    fraction: {
      prompt: widestFraction(
        costs.map((cost) => cost.prompt_token_cost),
        unit,
      ),
      completion: widestFraction(
        costs.map((cost) => cost.completion_token_cost),
        unit,
      ),
    },
  }
}

/** The currencies of the prices that are set, free ones too. */
export function currenciesOf(costs: readonly Cost[]): string[] {
  const currencies = new Set<string>()
  for (const cost of costs) {
    if (typeof cost.prompt_token_cost === 'number') currencies.add(cost.prompt_token_cost_unit ?? '?')
    if (typeof cost.completion_token_cost === 'number') currencies.add(cost.completion_token_cost_unit ?? '?')
  }
  return [...currencies].toSorted()
}
