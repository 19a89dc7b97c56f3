import type { Cost } from '../../contract/costs'
import type { TimeZone } from '../format/instant'
import { type PriceUnit, formatPrice, maxFractionDigits } from '../format/money'
import type { CostDisplay } from './cost-columns'

type Price = number | null | undefined

// The widest digit of the fonts we meet at 13 px, and what stands beside the digits: padding and a currency code.
const digitWidth = 8.4
const besideDigits = 24
const currencyWidth = 36

/** What the cells of these rows share: the unit, the points' place, the room prices need, and the currency if there is but one. */
export function buildCostDisplay(costs: readonly Cost[], unit: PriceUnit, zone: TimeZone): CostDisplay {
  const currencies = listCurrencies(costs)
  const prompts = costs.map((cost) => cost.prompt_token_cost)
  const completions = costs.map((cost) => cost.completion_token_cost)
  const fraction = { prompt: maxFractionDigits(prompts, unit), completion: maxFractionDigits(completions, unit) }
  const isMixed = currencies.length > 1
  const roomFor = (prices: readonly Price[], digits: number) =>
    Math.ceil((longestWhole(prices, unit) + 1 + digits) * digitWidth) + besideDigits + (isMixed ? currencyWidth : 0)
  return {
    unit,
    zone,
    currency: isMixed ? undefined : (currencies[0] ?? ''),
    fraction,
    room: { prompt: roomFor(prompts, fraction.prompt), completion: roomFor(completions, fraction.completion) },
  }
}

/** Characters before the point, or of all that has no aligned point. */
function longestWhole(prices: readonly Price[], unit: PriceUnit): number {
  return prices.reduce<number>((longest, price) => {
    const shown = formatPrice(price, unit)
    const length = shown.kind === 'amount' ? shown.text.length - (shown.fractionDigits > 0 ? shown.fractionDigits + 1 : 0) : 0
    return Math.max(longest, length)
  }, 0)
}

/** The currencies of the prices that are set, free ones too. */
export function listCurrencies(costs: readonly Cost[]): string[] {
  const currencies = new Set<string>()
  for (const cost of costs) {
    if (typeof cost.prompt_token_cost === 'number') currencies.add(cost.prompt_token_cost_unit ?? '?')
    if (typeof cost.completion_token_cost === 'number') currencies.add(cost.completion_token_cost_unit ?? '?')
  }
  return [...currencies].toSorted()
}
