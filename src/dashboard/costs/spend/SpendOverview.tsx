import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '../../client/lazy-part'
import { refetchAll } from '../../client/stream-query'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Skeleton } from '../../ui/Skeleton'
import { spendRows } from './spend-rows'
import type { SpendChartsProps } from './SpendCharts'
import { SpendTotals } from './SpendTotals'

const SpendCharts = lazyPart(async () => (await import('./SpendCharts')).SpendCharts)

/** Above the table: what was spent in all, and when. The totals are there with the rows, the chart is a file of its own. */
export function SpendOverview(props: SpendChartsProps) {
  const { view, window, figures } = props
  const { error, total, chart } = figures
  const queryClient = useQueryClient()
  return (
    <section aria-label="Totals and chart" data-keeps-focus="[role=slider]" className="spend-overview">
      <SpendTotals view={view} window={window} figures={figures} />
      {error && !(total && chart) ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-quiet" role="alert">
          <p className="min-w-0 break-words">{`The totals and the chart could not be read. ${formatFailure(error)}`}</p>
          <FailureActions error={error} refetch={() => refetchAll(queryClient, spendRows.endpoint)} />
        </div>
      ) : (
        <Suspense fallback={<Skeleton className="block! h-46 w-full" />}>
          <SpendCharts {...props} />
        </Suspense>
      )}
    </section>
  )
}
