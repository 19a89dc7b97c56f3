import { choosePrice, type PricedRecord } from '../../../contract/compare-prices'
import { undatedEffectiveDate } from '../../../contract/costs'

/**
 * Whether a price is for calls before its start as well: calls that no price is old enough for are priced by the newest one.
 * `others` are the other records of the model.
 */
export function isForEarlierCalls(price: PricedRecord, others: readonly PricedRecord[]): boolean {
  return choosePrice([...others, price], undatedEffectiveDate) === price
}

export const earlierCallsText = 'also for earlier calls that have no older price'
