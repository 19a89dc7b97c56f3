import type { Decimal } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import { formatAmount } from '../format/amount'
import type { TimeZone } from '../format/instant'
import { formatPrice, type PriceUnit, toCommonTail } from '../format/money'
import { formatVisibleText } from '../format/visible-text'
import type { CostState } from './records/cost-states'
import { priceWorkload, type Workload } from './workload'

/** What the cells of the costs table need beside their record. */
export type CostDisplay = {
  unit: PriceUnit
  zone: TimeZone
  /** The one currency of all prices on screen, or undefined where they differ. */
  currency: string | undefined
  /** Pixels of the slot for currencies where they differ. */
  currencyWidth: number
  prompt: PriceColumn
  completion: PriceColumn
  cacheRead: PriceColumn
  /** Absent while no workload is chosen, or its tokens are not known yet. */
  workload?: { tokens: Workload; tailLength: number } | undefined
  /** Undefined while the state is not known. Absent where all are current. */
  toState?: (cost: ReceivedCost) => CostState | undefined
  /** Ids of prices in force at their provider that price no call: the project has its own for the model. Absent in records. */
  shadowedIds?: ReadonlySet<string> | undefined
}

export type PriceColumn = {
  /** Characters from the point on: the points of a column are aligned. */
  tailLength: number
  /** Pixels that the longest price needs: a truncated price would be a wrong price. */
  minWidth: number
}

type Price = number | null | undefined

// Pixels: the widest digit of the usual fonts at 13 px, a letter of a currency at 12 px, the padding of a cell.
const digitWidth = 8.4
const letterWidth = 9.2
const paddingWidth = 24
// As wide as "not set".
const minCharacters = 6
// A currency is free text. What is longer is cut, and shown in full beside the pointer.
const maxCurrencyLength = 8

export function buildCostDisplay(
  costs: readonly ReceivedCost[],
  { tokens, ...options }: Pick<CostDisplay, 'unit' | 'zone' | 'toState' | 'shadowedIds'> & { tokens?: Workload | undefined },
): CostDisplay {
  const { unit } = options
  const currencies = listCurrencies(costs)
  const isMixed = currencies.length > 1
  const currencyLength = Math.min(maxCurrencyLength, Math.max(...currencies.map(({ length }) => length)))
  const currencyWidth = isMixed ? Math.ceil(currencyLength * letterWidth) : 0
  const toColumn = (prices: readonly Price[]): PriceColumn => {
    const lengths = prices.map((price) => measurePrice(price, unit))
    const tailLength = toCommonTail(lengths.map(({ tail }) => tail))
    const characters = Math.max(minCharacters, ...lengths.map(({ whole, tail }) => whole + Math.max(tail, tailLength)))
    return { tailLength, minWidth: Math.ceil(characters * digitWidth) + paddingWidth + (isMixed ? currencyWidth + 6 : 0) }
  }
  return {
    ...options,
    currency: isMixed ? undefined : (currencies[0] ?? ''),
    currencyWidth,
    prompt: toColumn(costs.map((cost) => cost.prompt_token_cost)),
    completion: toColumn(costs.map((cost) => cost.completion_token_cost)),
    cacheRead: toColumn(costs.map((cost) => cost.cache_read_input_token_cost)),
    ...(tokens && {
      workload: { tokens, tailLength: measureAmounts(costs.flatMap((cost) => priceWorkload(cost, tokens) ?? [])) },
    }),
  }
}

/** The number of characters before the point of a price, and from the point on. */
function measurePrice(price: Price, unit: PriceUnit): { whole: number; tail: number } {
  const shown = formatPrice(price, unit)
  if (shown.kind !== 'amount') return { whole: 0, tail: 0 }
  return { whole: shown.pointIndex, tail: shown.text.length - shown.pointIndex }
}

/** The characters of these amounts from the point on. */
function measureAmounts(amounts: readonly Decimal[]): number {
  return toCommonTail(amounts.map(formatAmount).map(({ text, pointIndex }) => text.length - pointIndex))
}

/** The currencies of all known prices, free ones included, as they are shown. */
export function listCurrencies(costs: readonly ReceivedCost[]): string[] {
  const currencies = new Set<string>()
  for (const cost of costs) {
    if (typeof cost.prompt_token_cost === 'number') currencies.add(cost.prompt_token_cost_unit ?? '?')
    if (typeof cost.completion_token_cost === 'number') currencies.add(cost.completion_token_cost_unit ?? '?')
  }
  return [...currencies].toSorted().map(formatVisibleText)
}
