import type { ReceivedCost } from '../../contract/received-costs'
import { costsInForce } from './records/costs-in-force'
import { findPriceFlags, priceFlags } from './records/find-price-flags'

/** The rows with a kind of likely error; all rows where there is no such kind. */
export function selectFlagged(
  rows: readonly ReceivedCost[],
  records: readonly ReceivedCost[],
  { asOf, flag }: { asOf: string; flag: string },
): readonly ReceivedCost[] {
  const known = priceFlags.find((each) => each === flag)
  if (!known) return rows
  const flagged = new Set(findPriceFlags(costsInForce(records, asOf), records).get(known))
  return rows.filter((cost) => flagged.has(cost))
}
