import { choosePrice, type PricedRecord } from '../../../contract/compare-prices'
import { undatedEffectiveDate } from '../../../contract/costs'
import { compareInstants } from '../../../contract/instant'
import { formatDay, type TimeZone } from '../../format/instant'

/**
 * Which calls before its start a price is for as well: calls that no price is old enough for are priced by the newest one.
 * Undefined where they keep their price. `others` are the other records of the model.
 */
export function describeEarlierCalls(price: PricedRecord, others: readonly PricedRecord[], zone: TimeZone): string | undefined {
  const { effective_date: start } = price
  if (!start || choosePrice([...others, price], undatedEffectiveDate) !== price) return undefined
  const [first] = others.flatMap(({ effective_date: date }) => date ?? []).toSorted(compareInstants)
  return first !== undefined && compareInstants(first, start) < 0
    ? `also for calls before ${formatDay(first, zone)}: no price is older`
    : 'also for the earlier calls: the model has no earlier price'
}
