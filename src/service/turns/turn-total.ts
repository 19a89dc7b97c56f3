import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, formatPlainDecimal, zero } from '../../contract/decimal'
import type { Turn } from '../../contract/turns'
import { calculateAmounts, isFullyPriced } from '../pricing/cost-of-usage'
import type { Price } from '../pricing/price-book'
import type { DetailedUsage } from '../usage/usage'

type Figures = Pick<Turn, 'models' | 'prompt_tokens' | 'completion_tokens' | 'costs' | 'unpriced_call_count'>

/** Adds up what the calls of one turn spent. Money is added in exact decimals, each currency by itself. */
export class TurnTotal {
  private readonly tokensByModel = new Map<string, number>()
  private readonly totalByCurrency = new Map<string, Decimal>()
  private promptTokens = 0
  private completionTokens = 0
  private unpricedCallCount = 0

  /** Adds one call: what it spent on each model, and the price of that. */
  add(shares: readonly { model: string; usage: DetailedUsage; price: Price | undefined }[]): void {
    if (shares.some(({ usage, price }) => !isFullyPriced(usage, price))) this.unpricedCallCount += 1
    for (const { model, usage, price } of shares) {
      this.promptTokens += usage.prompt_tokens
      this.completionTokens += usage.completion_tokens
      this.tokensByModel.set(model, (this.tokensByModel.get(model) ?? 0) + usage.total_tokens)
      if (!price) continue
      const { prompt, completion, cacheRead, cacheCreation, requests } = calculateAmounts(usage, price)
      const { prompt_token_cost_unit: promptUnit, completion_token_cost_unit: completionUnit } = price.record
      for (const amount of [prompt, cacheRead, cacheCreation, requests]) this.addMoney(promptUnit, amount)
      this.addMoney(completionUnit, completion)
    }
  }

  get figures(): Figures {
    const byTokens = [...this.tokensByModel].toSorted(
      ([left, leftTokens], [right, rightTokens]) => rightTokens - leftTokens || compareText(left, right),
    )
    const byCurrency = [...this.totalByCurrency].toSorted(([left], [right]) => compareText(left, right))
    return {
      models: byTokens.map(([model]) => model),
      prompt_tokens: this.promptTokens,
      completion_tokens: this.completionTokens,
      costs: byCurrency.map(([currency, total]) => ({ currency, total: formatPlainDecimal(total) })),
      unpriced_call_count: this.unpricedCallCount,
    }
  }

  private addMoney(currency: string, amount: Decimal | null): void {
    if (amount) this.totalByCurrency.set(currency, addDecimals(this.totalByCurrency.get(currency) ?? zero, amount))
  }
}
