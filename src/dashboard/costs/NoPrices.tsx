import { formatCount } from '../format/count'
import type { CostView } from './cost-view'
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
  return asOf === '' ? noCostsMessage : 'No price was in force then.'
}

export const noCostsMessage = 'This project has no prices yet, and the server has no catalog. Create one with POST /cost/create.'
