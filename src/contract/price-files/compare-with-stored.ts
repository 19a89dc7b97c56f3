import { isCatalogCost } from '../compare-prices'
import type { NewCost } from '../new-cost'
import { compareText } from '../compare-text'
import { parseInstant } from '../instant'
import type { ImportedPrice } from './imported-price'

/** What the service stores where a price does not name them. */
export const defaultProvider = 'default'
export const defaultUnit = 'USD'

type Nullable<Value> = { readonly [Key in keyof Value]?: Value[Key] | null | undefined }

/** A record as any reader of the wire has it. */
export type StoredCost = Nullable<NewCost & { id: string; llm_id: string }>

/** A price of a file, and what is stored of it. */
export type ComparedPrice<Stored> = {
  price: ImportedPrice
  /** Whether the project has the same price already, so that it need not be stored again. */
  isStored: boolean
  /** The price before: of the project, or else of the catalog. */
  before: Stored | undefined
}

/**
 * Compares the prices of a file with the records of their models. A price with a date is stored if a record of the project
 * has the same date and values. A price without a date applies from `nowMs` on: it is stored if the project's record in
 * force then has the same values.
 */
export function compareWithStored<Stored extends StoredCost>(
  prices: readonly ImportedPrice[],
  costs: readonly Stored[],
  nowMs: number,
): ComparedPrice<Stored>[] {
  const byModel = new Map<string, { own: Dated<Stored>[]; catalog: Dated<Stored>[] }>()
  for (const cost of costs) {
    const key = toModelKey(cost.llm_id, cost.provider_id)
    const group = byModel.get(key) ?? { own: [], catalog: [] }
    group[isCatalogCost(cost) ? 'catalog' : 'own'].push({ cost, since: toMicroseconds(cost.effective_date) })
    byModel.set(key, group)
  }
  for (const { own, catalog } of byModel.values()) for (const group of [own, catalog]) group.sort(compareAge)
  const now = BigInt(nowMs) * 1000n
  return prices.map((price) => {
    const { llmId, cost } = price
    const { own, catalog } = byModel.get(toModelKey(llmId, cost.provider_id)) ?? { own: [], catalog: [] }
    const since = cost.effective_date === undefined ? now : toMicroseconds(cost.effective_date)
    const isEarlier = (record: Dated<Stored>) => record.since <= since
    const before = own.findLast(isEarlier)
    const values = toComparableValues(cost)
    // Without a date, the records that start together with the one in force count.
    const start = cost.effective_date === undefined ? before?.since : since
    const isStored = own.some((record) => record.since === start && toComparableValues(record.cost) === values)
    return { price, isStored, before: (before ?? catalog.findLast(isEarlier))?.cost }
  })
}

type Dated<Stored> = { cost: Stored; since: bigint }

/** Oldest first. Of records with one date the one recorded last applies: ids rise with time. */
function compareAge(left: Dated<StoredCost>, right: Dated<StoredCost>): number {
  if (left.since !== right.since) return left.since < right.since ? -1 : 1
  return compareText(left.cost.id ?? '', right.cost.id ?? '')
}

/** The values of a price, with the defaults of the service, as a text to compare. */
export function toComparableValues(cost: NewCost | StoredCost): string {
  return JSON.stringify([
    cost.prompt_token_cost,
    cost.completion_token_cost,
    cost.cache_read_input_token_cost ?? null,
    cost.cache_creation_input_token_cost ?? null,
    cost.prompt_token_cost_unit ?? defaultUnit,
    cost.completion_token_cost_unit ?? defaultUnit,
  ])
}

function toModelKey(llmId: string | null | undefined, provider: string | null | undefined): string {
  return JSON.stringify([llmId ?? '', provider ?? defaultProvider])
}

function toMicroseconds(date: string | null | undefined): bigint {
  const instant = parseInstant(date ?? '')
  return typeof instant === 'bigint' ? instant : 0n
}
