import { calcPrice, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices'
import { type Decimal, roundToSignificantDigits, shiftDecimal, toDecimal } from '../../contract/decimal'
import type { PriceRecord } from './price-record'

/**
 * Kinds of tokens that may have a price of their own, with the name of their price in the price list and what they are. A
 * kind is a part of every kind whose properties it has too: cached audio is a part of the cached tokens, of the audio and
 * of the input. The other kinds of the list (images, pages, searches) are not reported by clients.
 */
export const tokenKinds = {
  input: { priceKey: 'input_mtok', properties: ['in'] },
  cacheRead: { priceKey: 'cache_read_mtok', properties: ['in', 'read'] },
  cacheWrite: { priceKey: 'cache_write_mtok', properties: ['in', 'write'] },
  /** Written to be kept for an hour rather than five minutes. */
  cacheWrite1h: { priceKey: 'cache_write_1h_mtok', properties: ['in', 'write', 'hour'] },
  inputAudio: { priceKey: 'input_audio_mtok', properties: ['in', 'audio'] },
  cacheReadAudio: { priceKey: 'cache_audio_read_mtok', properties: ['in', 'audio', 'read'] },
  output: { priceKey: 'output_mtok', properties: ['out'] },
  outputReasoning: { priceKey: 'output_reasoning_mtok', properties: ['out', 'reasoning'] },
  outputAudio: { priceKey: 'output_audio_mtok', properties: ['out', 'audio'] },
} as const
export type TokenKind = keyof typeof tokenKinds

/** A price per single token. Beyond a step the price of the step holds for all tokens, not only for those beyond. */
export type Rate = { base: Decimal; steps: readonly { aboveInputTokens: number; rate: Decimal }[] }

/** What one call is charged: by kind of token (a kind without a price is charged as the kind it is a part of), and for itself. */
export type Rates = { byKind: ReadonlyMap<TokenKind, Rate>; perRequest: Decimal | null }

/**
 * The rates of a price record by itself: up to four prices, without steps. A project's own record that has no cache prices
 * charges cached tokens at its prompt price.
 */
export function ratesOfRecord(record: PriceRecord): Rates {
  const cachePrice = record.project_id === '' ? null : record.prompt_token_cost
  const prices: [TokenKind, number | null][] = [
    ['input', record.prompt_token_cost],
    ['output', record.completion_token_cost],
    ['cacheRead', record.cache_read_input_token_cost ?? cachePrice],
    ['cacheWrite', record.cache_creation_input_token_cost ?? cachePrice],
  ]
  const rates = prices.flatMap(([kind, price]): [TokenKind, Rate][] =>
    price === null ? [] : [[kind, { base: toDecimal(price), steps: [] }]],
  )
  return { byKind: new Map(rates), perRequest: null }
}

/** The rates of the price list, kept once they are found: its calculator goes through many patterns to find a model. */
export class ListedRates {
  private readonly byKey = new Map<string, Rates | undefined>()

  /**
   * The rates of a record of the catalog for a call that started at this instant, as the list's own calculator chooses them:
   * by start dates and by hours of the day. Undefined where the calculator does not find the model.
   */
  find({ id, provider_id: providerId, llm_id: model }: PriceRecord, startedAt: string): Rates | undefined {
    const minute = startedAt.slice(0, 'yyyy-mm-ddThh:mm'.length)
    for (const key of [id, `${id} ${minute}`]) if (this.byKey.has(key)) return this.byKey.get(key)
    const found = calcPrice({}, model, { providerId, timestamp: new Date(startedAt) })
    const rates = found ? toRates(found.model_price) : undefined
    // The record's id names the start date, so only hours of the day are left to tell prices apart.
    const key = found && hasHours(found.model) ? `${id} ${minute}` : id
    if (this.byKey.size >= maxKept) this.byKey.clear()
    this.byKey.set(key, rates)
    return rates
  }

  /** All rates of a record that has others at some hours of the day; none of one that has not. */
  findHourly({ provider_id: providerId, llm_id: model }: PriceRecord): Rates[] {
    const found = calcPrice({}, model, { providerId })?.model
    if (!found || !Array.isArray(found.prices) || !hasHours(found)) return []
    return found.prices.map(({ prices }) => toRates(prices))
  }

  /** At which minutes of the day, and above how many input tokens, the rates of a record may change. */
  findSteps({ provider_id: providerId, llm_id: model }: PriceRecord): { minutesOfDay: number[]; inputTokens: number[] } {
    const prices = calcPrice({}, model, { providerId })?.model.prices ?? {}
    const conditional = Array.isArray(prices) ? prices : [{ prices }]
    return {
      minutesOfDay: conditional.flatMap(({ constraint }) =>
        constraint?.type === 'time_of_date' ? [toMinute(constraint.start_time), toMinute(constraint.end_time)] : [],
      ),
      inputTokens: conditional.flatMap((each) =>
        [...toRates(each.prices).byKind.values()].flatMap(({ steps }) => steps.map(({ aboveInputTokens }) => aboveInputTokens)),
      ),
    }
  }
}

const maxKept = 10_000

const minutesPerDay = 24 * 60

/** '08:30:00Z' as minutes. */
function toMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':', 2).map(Number)
  return (hours * 60 + minutes) % minutesPerDay
}

function hasHours({ prices }: ModelInfo): boolean {
  return Array.isArray(prices) && prices.some(({ constraint }) => constraint?.type === 'time_of_date')
}

function toRates(prices: ModelPrice): Rates {
  const byKind = new Map<TokenKind, Rate>()
  for (const [kind, { priceKey }] of Object.entries(tokenKinds)) {
    const price = prices[priceKey]
    if (price !== undefined) byKind.set(kind as TokenKind, toRate(price)) // Object.entries() loses the type
  }
  const perThousandRequests = prices['requests_kcount']
  return {
    byKind,
    perRequest: typeof perThousandRequests === 'number' ? shiftDecimal(toListDecimal(perThousandRequests), -3) : null,
  }
}

function toRate(price: NonNullable<ModelPrice[string]>): Rate {
  if (typeof price === 'number') return { base: toPerToken(price), steps: [] }
  const steps = price.tiers
    .map((tier) => ({ aboveInputTokens: tier.start, rate: toPerToken(tier.price) }))
    .toSorted((left, right) => left.aboveInputTokens - right.aboveInputTokens)
  return { base: toPerToken(price.base), steps }
}

/** From a price of the list, per million tokens. */
export function toPerToken(perMillion: number): Decimal {
  return shiftDecimal(toListDecimal(perMillion), -6)
}

// Some prices of the list are sums of doubles and carry their noise: 0.18000000000000002 for 0.18. No price has twelve
// significant digits of its own.
const maxSignificantDigits = 12

function toListDecimal(price: number): Decimal {
  return roundToSignificantDigits(toDecimal(price), maxSignificantDigits)
}

/** The price of one token of this kind in a call with so many input tokens. */
export function rateAt(rate: Rate, inputTokens: number): Decimal {
  return rate.steps.findLast((step) => inputTokens > step.aboveInputTokens)?.rate ?? rate.base
}
