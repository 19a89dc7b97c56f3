import { msToEngineTime, toEngineTime } from '../store/engine-time'

/** A row of `costs` as it is inserted; the greatest version of an id is the current one. Costs are per single token, null where unknown. */
export type StoredCost = {
  /** '' for the built-in catalog, which every project reads. */
  project_id: string
  id: string
  llm_id: string
  provider_id: string
  prompt_token_cost: number | null
  completion_token_cost: number | null
  cache_read_input_token_cost?: number | null
  cache_creation_input_token_cost?: number | null
  prompt_token_cost_unit: string
  completion_token_cost_unit: string
  effective_date: string
  created_at: string
  created_by: string
  is_deleted: 0 | 1
  version: number
}

export const defaultCostUnit = 'USD'

/** What a new row is made of; `effectiveDate` is an instant. */
type NewStoredCost = Omit<StoredCost, 'effective_date' | 'created_at' | 'is_deleted' | 'version'> & { effectiveDate: string }

/**
 * A row created at `nowMs` (milliseconds since 1970). The version of a row that may have been stored before has to be above
 * that of the stored one.
 */
export function toStoredCost(
  { effectiveDate, ...fields }: NewStoredCost,
  nowMs: number,
  version = firstVersion(nowMs),
): StoredCost {
  return {
    ...fields,
    effective_date: toEngineTime(effectiveDate),
    created_at: msToEngineTime(nowMs),
    is_deleted: 0,
    version,
  }
}

/** The version of a new row, with room for those that follow within the millisecond. */
export function firstVersion(nowMs: number): number {
  return nowMs * 1000
}
