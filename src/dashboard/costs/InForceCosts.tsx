import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { queryCosts } from '../../contract/costs'
import { useConnection } from '../client/connection-context'
import { usePreferences } from '../format/preferences'
import { type TableData, ignoreCancellation } from '../table/view/table-data'
import { DataTable } from '../table/grid/DataTable'
import { useLastUpdatedAt } from '../table/view/use-seen-at'
import type { SetView } from '../table/view/use-url-state'
import { buildCostDisplay } from './cost-display'
import { costColumns, type CostRow } from './cost-columns'
import { maxRecords, startedCostsQuery } from './started-costs-query'
import { startedQuery } from './cost-query'
import { toAsOfInstant, type CostView, endOfDay, hasCostFilters, noCostFilters } from './cost-view'
import { CostFilters } from './CostFilters'
import { formatNoCosts, formatTooManyCosts } from './no-costs-text'
import { inForceRows, providerCounts } from './in-force-rows'
import { MixedCurrencies } from './MixedCurrencies'
import { renderCostPanel } from './render-cost-panel'

const sortable = new Set(costColumns.map(({ id }) => id))
const noRows: readonly CostRow[] = []
const idOf = ({ cost }: CostRow) => cost.id ?? ''

/** One row for each provider and model, as of a day: read whole, then grouped, sorted and cut into pages here. */
export function InForceCosts({ view, setView }: { view: CostView; setView: SetView<CostView> }) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const wholeOptions = startedCostsQuery(view, connection)
  const whole = useQuery({ ...wholeOptions, placeholderData: keepPreviousData })
  const isTooMany = (whole.data?.rows.length ?? 0) >= maxRecords && !whole.data?.isComplete
  const narrowedOptions = startedCostsQuery(view, connection, view)
  const narrowed = useQuery({ ...narrowedOptions, enabled: isTooMany && hasCostFilters(view), placeholderData: keepPreviousData })
  const query = isTooMany && hasCostFilters(view) ? narrowed : whole
  const isStillTooMany = (query.data?.rows.length ?? 0) >= maxRecords && !query.data?.isComplete

  const isReady = query.data?.isComplete || (!query.isFetching && !isStillTooMany && (query.data?.rows.length ?? 0) > 0)
  const readyRecords = isReady ? query.data?.rows : undefined
  // Grouping all of them takes a while, and need not be one task with what brought them.
  const records = useDeferredValue(readyRecords)
  const asOf = toAsOfInstant(view, useLastUpdatedAt(query.dataUpdatedAt))
  const { search, provider, source, sort, page, size } = view
  const rows = useMemo(
    () => records && inForceRows(records, asOf, { search, provider, source, sort }),
    [records, asOf, search, provider, source, sort],
  )
  const pageRows = useMemo(() => rows?.slice((page - 1) * size, page * size), [rows, page, size])
  const counts = useMemo(() => (records ? providerCounts(records, asOf) : undefined), [records, asOf])
  const context = useMemo(
    () =>
      buildCostDisplay(
        (pageRows ?? []).map(({ cost }) => cost),
        view.unit,
        zone,
      ),
    [pageRows, view.unit, zone],
  )

  const answer: TableData<CostRow> = {
    rows: isStillTooMany ? noRows : pageRows,
    hasMore: (rows?.length ?? 0) > page * size,
    total: rows?.length,
    readCount: query.data?.rows.length ?? 0,
    isFetching: query.isFetching || records !== readyRecords,
    isPrevious: query.isPlaceholderData,
    isComplete: isStillTooMany || (query.data?.isComplete ?? false),
    brokenLines: [],
    error: ignoreCancellation(query.error),
    updatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    cancel: () =>
      void queryClient.cancelQueries(
        { queryKey: (query === whole ? wholeOptions : narrowedOptions).queryKey },
        { revert: false },
      ),
  }
  return (
    <DataTable
      name="costs"
      label="Model costs in force"
      columns={costColumns}
      context={context}
      idOf={idOf}
      sortable={sortable}
      view={view}
      setView={setView}
      answer={answer}
      filters={<CostFilters view={view} setView={setView} providers={{ counts, onOpen: () => undefined }} />}
      isFiltered={hasCostFilters(view) && !isStillTooMany}
      onClearFilters={() => setView(noCostFilters)}
      whenEmpty={isStillTooMany ? formatTooManyCosts(hasCostFilters(view)) : formatNoCosts(view.asof)}
      notes={<MixedCurrencies rows={rows} sort={sort} sorter="page" />}
      request={{
        endpoint: queryCosts,
        input: {
          project_id: connection.projectId,
          query: startedQuery(endOfDay(asOf.slice(0, 10))),
          limit: 1000,
          offset: 0,
        },
      }}
      // Everything is in hand: all pages are one batch.
      readAll={async function* () {
        yield rows ?? []
      }}
      renderPanel={(row, id, controls) => renderCostPanel({ row, id, controls, asOf, setView })}
    />
  )
}
