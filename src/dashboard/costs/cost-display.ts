import type { ReceivedCost } from '../../contract/received-costs'
import type { TimeZone } from '../format/instant'
import { formatPrice, maxFractionDigits, type PriceUnit } from '../format/money'
import type { CostState } from './cost-states'

/** What the cells of the costs table need beside their record. */
export type CostDisplay = {
  unit: PriceUnit
  zone: TimeZone
  /** The one currency of all prices on screen, or undefined where they differ. */
  currency: string | undefined
  prompt: PriceColumn
  completion: PriceColumn
  /** Undefined while the state is not known. */
  toState: (cost: ReceivedCost) => CostState | undefined
}

export type PriceColumn = {
  /** The most digits after the decimal point in the column: the points are aligned. */
  maxFractionDigits: number
  /** Pixels that the longest price needs: a truncated price would be a wrong price. */
  minWidth: number
}

type Price = number | null | undefined

// Pixels: the widest digit of the usual fonts at 13 px; the padding; a currency code.
const digitWidth = 8.4
const paddingWidth = 24
const currencyWidth = 36

export function buildCostDisplay(
  costs: readonly ReceivedCost[],
  { unit, zone, toState }: Pick<CostDisplay, 'unit' | 'zone' | 'toState'>,
): CostDisplay {
  const currencies = listCurrencies(costs)
  const isMixed = currencies.length > 1
  const toColumn = (prices: readonly Price[]): PriceColumn => {
    const fractionDigits = maxFractionDigits(prices, unit)
    const characters = maxIntegerLength(prices, unit) + 1 + fractionDigits
    return {
      maxFractionDigits: fractionDigits,
      minWidth: Math.ceil(characters * digitWidth) + paddingWidth + (isMixed ? currencyWidth : 0),
    }
  }
  return {
    unit,
    zone,
    toState,
    currency: isMixed ? undefined : (currencies[0] ?? ''),
    prompt: toColumn(costs.map((cost) => cost.prompt_token_cost)),
    completion: toColumn(costs.map((cost) => cost.completion_token_cost)),
  }
}

/** The number of characters before the decimal point. */
function maxIntegerLength(prices: readonly Price[], unit: PriceUnit): number {
  return prices.reduce<number>((max, price) => {
    const shown = formatPrice(price, unit)
    const length = shown.kind === 'amount' ? shown.text.length - (shown.fractionDigits > 0 ? shown.fractionDigits + 1 : 0) : 0
    return Math.max(max, length)
  }, 0)
}

/** The currencies of all known prices, free ones included. */
export function listCurrencies(costs: readonly ReceivedCost[]): string[] {
  const currencies = new Set<string>()
  for (const cost of costs) {
    if (typeof cost.prompt_token_cost === 'number') currencies.add(cost.prompt_token_cost_unit ?? '?')
    if (typeof cost.completion_token_cost === 'number') currencies.add(cost.completion_token_cost_unit ?? '?')
  }
  return [...currencies].toSorted()
}
