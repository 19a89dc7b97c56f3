import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, toNumber, zero } from '../../contract/decimal'
import type { ThreadUsage } from '../../contract/thread-usage'
import type { PriceRecord } from '../pricing/price-record'
import { calculateAmounts } from '../pricing/cost-of-usage'
import { addUsage, hasTokens, type Usage } from '../pricing/usage'

type Costs = Map<string, Decimal>
type ModelSum = { usage: Usage; costs: Costs; unpricedCallCount: number }

/** Adds up what one thread used. Money is added in exact decimals, each currency by itself. */
export class UsageSum {
  private readonly sums = new Map<string, ModelSum>()

  /** One call's use of one model; `price` is undefined where none is known. */
  add(model: string, usage: Usage, price: PriceRecord | undefined): void {
    const before = this.sums.get(model)
    const sum: ModelSum = before
      ? { ...before, usage: addUsage(before.usage, usage) }
      : { usage, costs: new Map(), unpricedCallCount: 0 }
    if (price) addAmounts(sum.costs, usage, price)
    if (hasTokens(usage) && !isWhollyPriced(usage, price)) sum.unpricedCallCount += 1
    this.sums.set(model, sum)
  }

  /** As the wire has it, models by name. */
  answer(threadId: string): ThreadUsage {
    const models = [...this.sums].toSorted(([left], [right]) => compareText(left, right))
    const total: Costs = new Map()
    for (const [, { costs }] of models) for (const [unit, amount] of costs) addTo(total, unit, amount)
    return {
      thread_id: threadId,
      models: Object.fromEntries(
        models.map(([model, { usage, costs, unpricedCallCount }]) => [
          model,
          { ...usage, total_cost: numbersOf(costs), unpriced_call_count: unpricedCallCount },
        ]),
      ),
      total_cost: numbersOf(total),
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

function isWhollyPriced(usage: Usage, price: PriceRecord | undefined): boolean {
  // Of a total alone nobody knows which price it has.
  if (!price || usage.prompt_tokens + usage.completion_tokens === 0) return false
  return (
    (usage.prompt_tokens === 0 || price.prompt_token_cost !== null) &&
    (usage.completion_tokens === 0 || price.completion_token_cost !== null)
  )
}

function numbersOf(costs: Costs): Record<string, number> {
  return Object.fromEntries([...costs].map(([unit, amount]) => [unit, toNumber(amount)]))
}
