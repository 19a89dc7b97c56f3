import { type ComparedPrice, compareWithStored } from '../../../contract/price-files/compare-with-stored'
import type { ImportedPrice } from '../../../contract/price-files/imported-price'
import type { ReceivedCost } from '../../../contract/received-costs'

/** The clock of this device may be behind the one that dated the records. */
const clockToleranceMs = 300_000

export type PlannedPrice = ComparedPrice<ReceivedCost>

/** What an import does: prices that are new, that change one, and that are there already. */
export type ImportPlan = { added: PlannedPrice[]; changed: PlannedPrice[]; same: PlannedPrice[] }

export function planImport(prices: readonly ImportedPrice[], stored: readonly ReceivedCost[], nowMs: number): ImportPlan {
  const plan: ImportPlan = { added: [], changed: [], same: [] }
  for (const compared of compareWithStored(prices, stored, nowMs + clockToleranceMs)) {
    plan[compared.isStored ? 'same' : compared.before ? 'changed' : 'added'].push(compared)
  }
  return plan
}

/**
 * The prices to send. Those without a date get `from`, so that a request that is sent again is recognised whatever the
 * server's clock says.
 */
export function listMissing({ added, changed }: ImportPlan, from: string): ImportedPrice[] {
  return [...added, ...changed].map(({ price: { llmId, cost } }) => ({ llmId, cost: { effective_date: from, ...cost } }))
}
