import { undatedEffectiveDate } from '../../contract/costs'
import type { ReceivedCost } from '../../contract/received-costs'
import { formatCount } from '../format/count'
import { usePreferences } from '../format/preferences'
import { TableNote } from '../table/grid/TableNote'
import { listCurrencies } from './cost-display'
import { type CostView, formatAsOf } from './cost-view'
import { isPriceKey } from './in-force-rows'
import { PriceFlags } from './PriceFlags'

type Props = {
  costs: readonly ReceivedCost[]
  view: Pick<CostView, 'asof' | 'sort'>
  /** The browser sorts each currency by itself; the server compares the numbers only. */
  sorter: 'browser' | 'server'
  /** All records that have started by a moment, where they are at hand: then likely errors are counted. */
  records?: readonly ReceivedCost[] | undefined
  recordsAsOf?: string
  /** Why the workload is not known. */
  workloadProblem?: string | undefined
}

/** What a reader of these prices must know: several currencies in one order, and prices that may be newer than the date. */
export function CostNotes({ costs, view: { asof, sort }, sorter, records, recordsAsOf, workloadProblem }: Props) {
  const { zone } = usePreferences()
  const currencies = listCurrencies(costs)
  const undatedCount = asof === '' ? 0 : costs.filter(isUndated).length
  return (
    <>
      {records && recordsAsOf !== undefined && <PriceFlags records={records} asOf={recordsAsOf} />}
      {workloadProblem && <TableNote tone="warning">{workloadProblem}</TableNote>}
      {currencies.length > 1 && sort.some(isPriceKey) && (
        <TableNote tone="warning">
          {sorter === 'browser'
            ? `Prices in ${currencies.join(', ')}: each currency is sorted by itself.`
            : `Prices in ${currencies.join(', ')}: the server sorts by the numbers and ignores the currency.`}
        </TableNote>
      )}
      {undatedCount > 0 && (
        <TableNote>
          {`${formatCount(String(undatedCount))} of these ${formatCount(String(costs.length))} prices are undated: they may be newer than ${formatAsOf(asof, zone)}.`}
        </TableNote>
      )}
    </>
  )
}

function isUndated({ effective_date: date }: ReceivedCost): boolean {
  return !date || date === undatedEffectiveDate
}
