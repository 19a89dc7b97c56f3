import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, toNumber, zero } from '../../contract/decimal'
import type { ThreadUsage } from '../../contract/thread-usage'
import type { PriceRecord } from '../pricing/price-record'
import { calculateAmounts } from '../pricing/cost-of-usage'
import { addUsage, hasTokens, type Usage } from '../pricing/usage'

type Costs = Map<string, Decimal>
type ModelTotal = { usage: Usage; costs: Costs; unpricedCallCount: number }

/** Adds up the usage and cost of one thread. Money is added in exact decimals, each currency by itself. */
export class UsageTotal {
  private readonly totalByModel = new Map<string, ModelTotal>()

  /** Adds the usage of one model by one call. `price` is undefined where the model has none. */
  add(model: string, usage: Usage, price: PriceRecord | undefined): void {
    const previous = this.totalByModel.get(model)
    const total: ModelTotal = previous
      ? { ...previous, usage: addUsage(previous.usage, usage) }
      : { usage, costs: new Map(), unpricedCallCount: 0 }
    if (price) addAmounts(total.costs, usage, price)
    if (hasTokens(usage) && !isFullyPriced(usage, price)) total.unpricedCallCount += 1
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
        models.map(([model, { usage, costs, unpricedCallCount }]) => [
          model,
          { ...usage, total_cost: toNumbers(costs), unpriced_call_count: unpricedCallCount },
        ]),
      ),
      total_cost: toNumbers(totalCosts),
    }
  }
}

function addAmounts(costs: Costs, usage: Usage, price: PriceRecord): void {
  const { prompt, completion, cacheRead, cacheCreation } = calculateAmounts(usage, price)
  for (const amount of [prompt, cacheRead, cacheCreation]) if (amount) addTo(costs, price.prompt_token_cost_unit, amount)
  if (completion) addTo(costs, price.completion_token_cost_unit, completion)
}

function addTo(costs: Costs, unit: string, amount: Decimal): void {
  costs.set(unit, addDecimals(costs.get(unit) ?? zero, amount))
}

function isFullyPriced(usage: Usage, price: PriceRecord | undefined): boolean {
  // A client that reports only a total does not say how many of the tokens have which price.
  if (!price || usage.prompt_tokens + usage.completion_tokens === 0) return false
  return (
    (usage.prompt_tokens === 0 || price.prompt_token_cost !== null) &&
    (usage.completion_tokens === 0 || price.completion_token_cost !== null)
  )
}

function toNumbers(costs: Costs): Record<string, number> {
  return Object.fromEntries([...costs].map(([unit, amount]) => [unit, toNumber(amount)]))
}
