import { waitForUpdate } from '@pydantic/genai-prices'
import * as z from 'zod/mini'
import { count } from '../store/row-types'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { type CatalogRecord, toCatalogRecords } from './catalog-records'
import { deleteCosts } from './delete-costs'
import { defaultCostUnit, firstVersion, toStoredCost } from './stored-cost'

/** The price list that comes with the package. */
export async function bundledCatalog(): Promise<CatalogRecord[]> {
  // Resolves to the list in the package: it would fetch a newer one only after a call of updatePrices().
  return toCatalogRecords((await waitForUpdate()) ?? [])
}

const cost = z.nullable(z.number())

const CatalogRow = z.object({
  id: z.string(),
  prompt_token_cost: cost,
  completion_token_cost: cost,
  cache_read_input_token_cost: cost,
  cache_creation_input_token_cost: cost,
})

const selectCatalog = sql`SELECT id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost, cache_creation_input_token_cost
FROM costs FINAL WHERE project_id = '' AND is_deleted = 0`

const NewestRow = z.object({ version: count })
const selectNewestVersion = sql`SELECT max(version) AS version FROM costs WHERE project_id = ''`

/** Makes the store's catalog equal to `records`: writes new and changed records, deletes those that are no longer listed. */
export async function syncCatalog(
  store: Store,
  records: readonly CatalogRecord[],
  nowMs: number,
): Promise<{ isFirst: boolean; writtenCount: number; deletedCount: number }> {
  const storedById = new Map((await store.query(selectCatalog, CatalogRow)).map((row) => [row.id, row]))
  const changed = records.filter((record) => {
    const stored = storedById.get(record.id)
    return !stored || !hasSamePrices(record, stored)
  })
  const listedIds = new Set(records.map(({ id }) => id))
  const unlistedIds = [...storedById.keys()].filter((id) => !listedIds.has(id))
  // Above every stored row, deleted ones too, also when the clock was set back: a record keeps its id when its price changes.
  const [newest] = await store.query(selectNewestVersion, NewestRow)
  const version = Math.max(firstVersion(nowMs), (newest?.version ?? 0) + 1)
  const rows = changed.map((record) => toCatalogRow(record, nowMs, version))
  if (rows.length > 0) await store.insert('costs', rows)
  await deleteCosts(store, '', unlistedIds)
  return { isFirst: storedById.size === 0, writtenCount: rows.length, deletedCount: unlistedIds.length }
}

function hasSamePrices(record: CatalogRecord, stored: z.infer<typeof CatalogRow>): boolean {
  return (
    record.prompt_token_cost === stored.prompt_token_cost &&
    record.completion_token_cost === stored.completion_token_cost &&
    record.cache_read_input_token_cost === stored.cache_read_input_token_cost &&
    record.cache_creation_input_token_cost === stored.cache_creation_input_token_cost
  )
}

function toCatalogRow(record: CatalogRecord, nowMs: number, version: number) {
  const fields = {
    project_id: '',
    prompt_token_cost_unit: defaultCostUnit,
    completion_token_cost_unit: defaultCostUnit,
    created_by: '',
  }
  return toStoredCost({ ...record, ...fields }, nowMs, version)
}
