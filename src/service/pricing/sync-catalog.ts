import { waitForUpdate } from '@pydantic/genai-prices'
import * as z from 'zod'
import { buryCosts } from './bury-costs'
import { defaultCostUnit, newCostRow } from './stored-cost'
import type { Store } from '../store/store'
import { type CatalogRecord, catalogRecords } from './catalog-records'

/** The price list that comes with the package. */
export async function bundledCatalog(): Promise<CatalogRecord[]> {
  // Resolves to what is in the package: it reaches out for news only where updatePrices() has been called.
  return catalogRecords((await waitForUpdate()) ?? [])
}

const keptSql = `SELECT id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost, cache_creation_input_token_cost
FROM costs FINAL WHERE project_id = '' AND is_deleted = 0`

const prices = [
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
] as const satisfies readonly (keyof CatalogRecord)[]

const KeptRow = z.object({
  id: z.string(),
  prompt_token_cost: z.number().nullable(),
  completion_token_cost: z.number().nullable(),
  cache_read_input_token_cost: z.number().nullable(),
  cache_creation_input_token_cost: z.number().nullable(),
})

/** Brings the store's catalog to `records`: what is new or changed is written, what has vanished is buried, the rest left alone. */
export async function syncCatalog(
  store: Store,
  records: readonly CatalogRecord[],
  now: number,
): Promise<{ written: number; buried: number }> {
  const kept = new Map((await store.query(keptSql, {}, KeptRow)).map((row) => [row.id, row]))
  const changed = records.filter((record) => {
    const old = kept.get(record.id)
    return !old || prices.some((price) => old[price] !== record[price])
  })
  const wantedIds = new Set(records.map(({ id }) => id))
  const vanished = [...kept.keys()].filter((id) => !wantedIds.has(id))
  if (changed.length > 0)
    await store.insert(
      'costs',
      changed.map((record) => catalogRow(record, now)),
    )
  await buryCosts(store, '', vanished)
  return { written: changed.length, buried: vanished.length }
}

function catalogRow(record: CatalogRecord, now: number) {
  const fields = {
    project_id: '',
    prompt_token_cost_unit: defaultCostUnit,
    completion_token_cost_unit: defaultCostUnit,
    created_by: '',
  }
  return newCostRow({ ...record, ...fields }, now)
}
