import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, toNumber, zero } from '../../contract/decimal'
import type { ThreadUsage } from '../../contract/thread-usage'
import { calculateAmounts, isFullyPriced, listAmounts } from '../pricing/cost-of-usage'
import type { Price } from '../pricing/price-book'
import { addUsage, type DetailedUsage } from '../usage/usage'

type Costs = Map<string, Decimal>
type ModelTotal = { usage: DetailedUsage; costs: Costs; unpricedCallCount: number }

/** Adds up the usage and cost of one thread. Money is added in exact decimals, each currency by itself. */
export class UsageTotal {
  private readonly totalByModel = new Map<string, ModelTotal>()

  /** Adds the usage of one model by one call. `price` is undefined where the model has none. */
  add(model: string, usage: DetailedUsage, price: Price | undefined): void {
    const previous = this.totalByModel.get(model)
    const total: ModelTotal = previous
      ? { ...previous, usage: addUsage(previous.usage, usage) }
      : { usage, costs: new Map(), unpricedCallCount: 0 }
    if (price) {
      for (const { currency, amount } of listAmounts(calculateAmounts(usage, price), price)) addTo(total.costs, currency, amount)
    }
    if (!isFullyPriced(usage, price)) total.unpricedCallCount += 1
    this.totalByModel.set(model, total)
  }

  /** The total as on the wire, models in the order of their names. */
  toThreadUsage(threadId: string): ThreadUsage {
    const models = [...this.totalByModel].toSorted(([left], [right]) => compareText(left, right))
    const totalCosts: Costs = new Map()
    for (const [, { costs }] of models) for (const [unit, amount] of costs) addTo(totalCosts, unit, amount)
    return {
      thread_id: threadId,
      models: Object.fromEntries(
        models.map(([model, { usage, costs, unpricedCallCount }]) => {
          const { details: _, ...counts } = usage
          return [model, { ...counts, total_cost: toNumbers(costs), unpriced_call_count: unpricedCallCount }]
        }),
      ),
      total_cost: toNumbers(totalCosts),
    }
  }
}

function addTo(costs: Costs, unit: string, amount: Decimal): void {
  costs.set(unit, addDecimals(costs.get(unit) ?? zero, amount))
}

function toNumbers(costs: Costs): Record<string, number> {
  return Object.fromEntries([...costs].map(([unit, amount]) => [unit, toNumber(amount)]))
}
