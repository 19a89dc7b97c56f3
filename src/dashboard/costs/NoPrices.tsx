import { formatCount } from '../format/count'
import type { CostView } from './cost-view'
import { useTakesPrices } from './edit/use-takes-prices'
import { maxRecords } from './started-costs-query'

type Props = {
  asOf: CostView['asof']
  /** There are more records than the browser reads. */
  isTooMany: boolean
  isFiltered: boolean
}

/** In place of the prices: there are none, or too many records to find them. */
export function NoPrices({ asOf, isTooMany, isFiltered }: Props) {
  if (isTooMany) {
    const advice = isFiltered ? 'Narrow the filter further' : 'Choose a provider or search for a model'
    return `There are more than ${formatCount(String(maxRecords))} records, too many to find the prices in force. ${advice}, or look at the records.`
  }
  return asOf === '' ? <NoCosts /> : 'No price was in force then.'
}

/** In place of prices and records that there are none of. */
export function NoCosts() {
  return useTakesPrices() === false
    ? 'This project has no prices. This service takes no prices.'
    : 'This project has no prices yet, and the server has no catalog. Create one with POST /cost/create.'
}
