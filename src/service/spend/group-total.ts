import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, formatPlainDecimal, zero } from '../../contract/decimal'
import type { RepricedSpend, SpendCost, SpendGroup, SpendKey } from '../../contract/spend'
import { type Amounts, calculateAmounts, isFullyPriced, listAmounts } from '../pricing/cost-of-usage'
import type { Price } from '../pricing/price-book'
import type { SpentShare } from './spent-calls'

type Part = 'prompt' | 'completion' | 'cache_read' | 'cache_creation' | 'total'
type Parts = Record<Part, Decimal>

/** A model that calls are priced as, beside their own. */
export type ReferenceModel = { llm_id: string; provider_id: string | null }

/** A share of a call, with its own price and those of the reference models. */
export type PricedShare = { share: SpentShare; price: Price | undefined; referencePrices: readonly (Price | undefined)[] }

/** The values of the keys of a group; of `interval` the start, in seconds since 1970. */
export type KeyValues = Readonly<Partial<Record<SpendKey, string | number | null>>>
export type Group = { keys: KeyValues; total: GroupTotal }

/** The exact sums of one group. */
export class GroupTotal {
  private callCount = 0
  private unpricedCallCount = 0
  private readonly tokens = {
    prompt_tokens: 0,
    completion_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    priced_prompt_tokens: 0,
    priced_completion_tokens: 0,
  }
  private readonly partsByCurrency = new Map<string, Parts>()
  private readonly repriced: { callCount: number; partsByCurrency: Map<string, Parts> }[]

  constructor(private readonly references: readonly ReferenceModel[]) {
    this.repriced = references.map(() => ({ callCount: 0, partsByCurrency: new Map() }))
  }

  /** Adds what `callCount` calls spent: the shares that are of this group. */
  add(callCount: number, shares: readonly PricedShare[]): void {
    this.callCount += callCount
    if (shares.some(({ share, price }) => !isFullyPriced(share.usage, price))) this.unpricedCallCount += callCount
    for (const { share, price } of shares) {
      const { usage, inputTokens } = share
      for (const kind of tokenKinds) this.tokens[kind] += usage[kind]
      if (!price) continue
      const amounts = calculateAmounts(usage, price, inputTokens)
      if (amounts.prompt) this.tokens.priced_prompt_tokens += usage.prompt_tokens
      if (amounts.completion) this.tokens.priced_completion_tokens += usage.completion_tokens
      addAmounts(this.partsByCurrency, amounts, price)
    }
    for (const [index, { partsByCurrency }] of this.repriced.entries()) {
      const total = this.repriced[index]
      if (total && shares.every(({ share, referencePrices }) => isFullyPriced(share.usage, referencePrices[index]))) {
        total.callCount += callCount
      }
      for (const { share, referencePrices } of shares) {
        const price = referencePrices[index]
        if (price) addAmounts(partsByCurrency, calculateAmounts(share.usage, price, share.inputTokens), price)
      }
    }
  }

  /** The amount that groups are sorted by: in USD where there is any, else in the least code. */
  get sortAmount(): { currency: string; total: Decimal } | undefined {
    const currency = this.partsByCurrency.has('USD') ? 'USD' : [...this.partsByCurrency.keys()].toSorted(compareText)[0]
    const parts = currency === undefined ? undefined : this.partsByCurrency.get(currency)
    return currency !== undefined && parts ? { currency, total: parts.total } : undefined
  }

  get figures() {
    return { call_count: this.callCount, unpriced_call_count: this.unpricedCallCount, ...this.tokens }
  }

  toGroup(): SpendGroup {
    return {
      ...this.figures,
      costs: sortByCurrency(this.partsByCurrency).map(([currency, parts]) => toCost(currency, parts)),
      ...(this.references.length > 0 && { repriced: this.toRepriced() }),
    }
  }

  private toRepriced(): RepricedSpend[] {
    return this.repriced.flatMap(({ callCount, partsByCurrency }, index) => {
      const reference = this.references[index]
      if (!reference) return []
      const { llm_id, provider_id } = reference
      return sortByCurrency(partsByCurrency).map(([currency, { total }]) => {
        return { llm_id, provider_id, call_count: callCount, total: formatPlainDecimal(total), currency }
      })
    })
  }
}

const tokenKinds = ['prompt_tokens', 'completion_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** The part that an amount is shown as; a request's own price is in the total alone. */
const partOfAmount = {
  prompt: 'prompt',
  completion: 'completion',
  cacheRead: 'cache_read',
  cacheCreation: 'cache_creation',
  requests: undefined,
} as const satisfies Record<keyof Amounts, Part | undefined>

function addAmounts(partsByCurrency: Map<string, Parts>, amounts: Amounts, price: Price): void {
  for (const { name, currency, amount } of listAmounts(amounts, price)) {
    const parts = partsByCurrency.get(currency) ?? { ...noParts }
    partsByCurrency.set(currency, parts)
    const part = partOfAmount[name]
    if (part) parts[part] = addDecimals(parts[part], amount)
    parts.total = addDecimals(parts.total, amount)
  }
}

const noParts: Parts = { prompt: zero, completion: zero, cache_read: zero, cache_creation: zero, total: zero }

function sortByCurrency(partsByCurrency: ReadonlyMap<string, Parts>): [string, Parts][] {
  return [...partsByCurrency].toSorted(([left], [right]) => compareText(left, right))
}

function toCost(currency: string, parts: Parts): SpendCost {
  return {
    currency,
    prompt: formatPlainDecimal(parts.prompt),
    completion: formatPlainDecimal(parts.completion),
    cache_read: formatPlainDecimal(parts.cache_read),
    cache_creation: formatPlainDecimal(parts.cache_creation),
    total: formatPlainDecimal(parts.total),
  }
}
