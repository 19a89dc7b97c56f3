import { compareText } from './compare-text'
import { isCatalogId } from './cost-fields'
import { compareInstants } from './instant'

/** What decides between two price records: a cost as read, or a record of the service. */
export type PricedRecord = {
  readonly id?: string | null | undefined
  readonly provider_id?: string | null | undefined
  /** Instant from which the price holds; without it, since ever. */
  readonly effective_date?: string | null | undefined
}

// Makers of models sell them first hand; other providers of the catalog resell them. A maker may also resell models of
// another, so the order counts: the earlier comes first.
const makers = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'cohere',
  'deepseek',
  'x-ai',
  'moonshotai',
  'minimax',
  'zai',
  'perplexity',
]

/**
 * Orders the price records of one model, the one that applies at `at` first. In this order: effective at or before `at`,
 * before future; the project's own, before the catalog's. Then of the project's own the newest effective date, the provider
 * that the call names, the maker of the model. Of the catalog's first the provider, then the date: another provider's newer
 * price says nothing about this one's. Records that are equal in all this are ordered by provider, and then the one recorded
 * last comes first (ids rise with time): it is the correction. So the order is total.
 */
export function comparePrices(left: PricedRecord, right: PricedRecord, at: string, provider?: string): number {
  return (
    compareFlags(isEffective(left, at), isEffective(right, at)) ||
    compareFlags(!isCatalogCost(left), !isCatalogCost(right)) ||
    (isCatalogCost(left)
      ? compareProviders(left, right, provider) || compareEffectiveDates(right, left)
      : compareEffectiveDates(right, left) || compareProviders(left, right, provider)) ||
    compareText(right.id ?? '', left.id ?? '')
  )
}

/**
 * The record that applies at `at`, whatever the order of `records`; a future one where none is effective.
 *
 * @example
 * choosePrice(pricesOfModel, call.started_at, 'azure')
 */
export function choosePrice<T extends PricedRecord>(records: readonly T[], at: string, provider?: string): T | undefined {
  let best = records[0]
  for (const record of records) if (best && comparePrices(record, best, at, provider) < 0) best = record
  return best
}

/** Whether the price holds at `at` or before. */
export function isEffective({ effective_date: date }: PricedRecord, at: string): boolean {
  return !date || compareInstants(date, at) <= 0
}

export function isCatalogCost({ id }: PricedRecord): boolean {
  return id !== undefined && id !== null && isCatalogId(id)
}

function compareEffectiveDates({ effective_date: left }: PricedRecord, { effective_date: right }: PricedRecord): number {
  return left && right ? compareInstants(left, right) : Number(Boolean(left)) - Number(Boolean(right))
}

function compareProviders(left: PricedRecord, right: PricedRecord, named: string | undefined): number {
  return (
    compareFlags(left.provider_id === named, right.provider_id === named) ||
    makerRank(left) - makerRank(right) ||
    compareText(left.provider_id ?? '', right.provider_id ?? '')
  )
}

/** True first. */
function compareFlags(left: boolean, right: boolean): number {
  return Number(right) - Number(left)
}

function makerRank({ provider_id: provider }: PricedRecord): number {
  const index = makers.indexOf(provider ?? '')
  return index < 0 ? makers.length : index
}
