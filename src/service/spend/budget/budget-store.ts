import * as z from 'zod/mini'
import { msToEngineTime } from '../../store/engine-time'
import { engineTime } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../../store/store'

const BudgetRow = z.object({
  /** Decimal text; '' for none. */
  amount: z.string(),
  currency: z.string(),
  updated_at: engineTime,
  updated_by: z.string(),
  version: z.string(),
})
export type BudgetRow = z.infer<typeof BudgetRow>

/** What was last set, also where it was removed; undefined where none was ever set. */
export async function findBudget(store: Store, projectId: string, options: QueryOptions): Promise<BudgetRow | undefined> {
  const statement = sql`SELECT amount, currency, updated_at, updated_by, version FROM budgets FINAL WHERE project_id = ${projectId}`
  const [row] = await store.query(statement, BudgetRow, options)
  return row
}

export type NewBudget = { projectId: string; amount: string; currency: string; updatedBy: string }

/** Stores a budget that is set at `nowMs`, milliseconds since 1970. */
export async function insertBudget(
  store: Store,
  { projectId, amount, currency, updatedBy }: NewBudget,
  nowMs: number,
  options: WriteOptions & QueryOptions,
): Promise<void> {
  const last = await findBudget(store, projectId, options)
  const row = {
    project_id: projectId,
    amount,
    currency,
    updated_at: msToEngineTime(nowMs),
    updated_by: updatedBy,
    // Above the last one, also after the clock was set back.
    version: Math.max(nowMs, Number(last?.version ?? 0) + 1),
  }
  await store.insert('budgets', [row], options)
}
