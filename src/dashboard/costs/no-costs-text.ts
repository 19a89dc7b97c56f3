import { formatCount } from '../format/count'
import { maxRecords } from './started-costs-query'

/** Said where there is no price at all, at the end of a day or ('') now. */
export function formatNoCosts(asOf: string): string {
  return asOf === ''
    ? 'This project has no prices yet, and the server has no catalog. Record one with POST /cost/create.'
    : 'No price was in force at the end of this day.'
}

export function formatTooManyCosts(isFiltered: boolean): string {
  const advice = isFiltered ? 'narrow the filter further' : 'choose a provider or search for a model'
  return `There are more than ${formatCount(String(maxRecords))} records. What is in force has to be worked out from all of them, so please ${advice}, or look at all records.`
}
