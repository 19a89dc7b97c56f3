import type { ReceivedCost } from '../../contract/received-costs'
import { costsInForce } from './records/costs-in-force'

export type ProviderCount = { provider: string; count: number }

/** How many models of each provider have a price in force, highest count first. */
export function countByProvider(records: readonly ReceivedCost[], asOf: string): ProviderCount[] {
  const counts = new Map<string, number>()
  for (const { provider_id: provider } of costsInForce(records, asOf)) {
    if (provider) counts.set(provider, (counts.get(provider) ?? 0) + 1)
  }
  return Array.from(counts, ([provider, count]) => ({ provider, count })).toSorted(
    (left, right) => right.count - left.count || (left.provider < right.provider ? -1 : 1),
  )
}
