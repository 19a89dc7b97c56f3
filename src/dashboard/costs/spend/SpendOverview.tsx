import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refetchAll } from '../../client/stream-query'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import type { SetView } from '../../table/view/use-url-state'
import { BreakEven } from './BreakEven'
import { spendRows } from './spend-rows'
import { hasSpendFilters, readReferenceModels, type SpendView } from './spend-view'
import type { SpendWindow } from './spend-window'
import { SpendChart } from './SpendChart'
import { SpendTotals } from './SpendTotals'
import type { SpendFigures } from './use-spend-figures'

type Props = { view: SpendView; setView: SetView<SpendView>; window: SpendWindow; figures: SpendFigures }

/** Above the table: what was spent in all, and when. */
export function SpendOverview({ view, setView, window, figures }: Props) {
  const { error, total, chart, currencies } = figures
  const { whatif } = view
  const references = useMemo(() => readReferenceModels({ whatif }), [whatif])
  // Amounts in two currencies have no common mix.
  const [currency, ...otherCurrencies] = currencies
  const queryClient = useQueryClient()
  return (
    <section aria-label="Totals and chart" className="spend-overview">
      <SpendTotals view={view} window={window} figures={figures} />
      {error && !(total && chart) ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-quiet" role="alert">
          <p className="min-w-0 break-words">{`The totals and the chart could not be read. ${formatFailure(error)}`}</p>
          <FailureActions error={error} refetch={() => refetchAll(queryClient, spendRows.endpoint)} />
        </div>
      ) : (
        <SpendChart setView={setView} window={window} figures={figures} isNarrowed={hasSpendFilters(view)} />
      )}
      {references.length > 0 && total && currency !== undefined && otherCurrencies.length === 0 && (
        <BreakEven total={total} currency={currency} references={references} />
      )}
    </section>
  )
}
