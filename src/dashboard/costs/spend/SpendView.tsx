import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { SpendGroup } from '../../../contract/spend'
import { isMissingOperation, ValidationError } from '../../client/api-error'
import { refetchAll } from '../../client/stream-query'
import { usePreferences } from '../../format/preferences'
import { formatMs, toZoneName } from '../../format/interval'
import { nameOps } from '../../format/op-name'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { DataTable } from '../../table/grid/DataTable'
import { TableNote } from '../../table/grid/TableNote'
import { useRemoteTable } from '../../table/view/use-remote-table'
import { useUrlState } from '../../table/view/use-url-state'
import { EmptySpend } from './EmptySpend'
import { MissingSpend } from './MissingSpend'
import { listSpendColumns } from './spend-columns'
import { measureAmounts, measureCounts, type SpendDisplay } from './spend-display'
import { toRowHref } from './spend-links'
import { getSpendRowId, listSortableIds, spendRows, toTableInput } from './spend-rows'
import { hasSpendFilters, noSpendFilters, readReferenceModels, spendParams } from './spend-view'
import { toSpendWindow } from './spend-window'
import { SpendFilters } from './SpendFilters'
import { SpendOverview } from './SpendOverview'
import { useSpendFigures } from './use-spend-figures'

/** What the project's calls cost, in groups. The server groups, sorts and pages. */
export function SpendView() {
  const [urlView, setView] = useUrlState(spendParams)
  const { zone } = usePreferences()
  const queryClient = useQueryClient()
  // A window ends now. That moves with a refresh, not with every render.
  const [now, setNow] = useState(() => Date.now())
  // With a reference model that has no price the service refuses the whole request.
  const [refused, setRefused] = useState<{ whatif: string; problems: ValidationError['problems'] }>()
  const isRefused = refused?.whatif === urlView.whatif.join()
  const view = useMemo(() => (isRefused ? { ...urlView, whatif: [] } : urlView), [urlView, isRefused])
  const { group, whatif } = view
  // While another grouping is read, and after it failed, the rows on screen are of the one before.
  const [rowGroup, setRowGroup] = useState(group)
  const [shown, setShown] = useState({ hasUnpriced: false, hasCached: true })
  const window = useMemo(() => toSpendWindow(view, zone, now), [view, zone, now])
  const references = useMemo(() => readReferenceModels({ whatif }), [whatif])
  const definition = useMemo(
    () => ({
      name: 'spend',
      label: 'Spend',
      topic: 'costs' as const,
      columns: listSpendColumns(rowGroup, references, shown),
      minFirstWidth: 134,
      getRowId: (row: SpendGroup) => getSpendRowId(row, rowGroup),
      rowHref: (row: SpendGroup) => toRowHref(row, { ...view, group: rowGroup }, window),
      sortableIds: listSortableIds(group),
      source: spendRows,
      exportPageSize: 2000,
      exportContext: {
        from: window.startMs === undefined ? null : formatMs(window.startMs),
        to: formatMs(window.endMs),
        time_zone: toZoneName(zone),
      },
    }),
    [group, rowGroup, references, shown, view, window, zone],
  )
  const table = useRemoteTable(definition, {
    view,
    setView,
    toInput: (page) => toTableInput(page, view, window),
    onRefetch: () => {
      setNow(Date.now())
      setRefused(undefined)
      // The totals and the chart belong to the rows.
      void refetchAll(queryClient, spendRows.endpoint)
      return true
    },
  })
  const { rows, isPlaceholder, isFetching, error, hasMore, isComplete } = table.data
  if (error instanceof ValidationError && !isFetching && whatif.length > 0) {
    const problems = error.problems.filter(({ loc }) => loc[1] === 'reprice_as')
    if (problems.length > 0) setRefused({ whatif: whatif.join(), problems })
  }
  if (!isPlaceholder && rowGroup !== group) setRowGroup(group)
  // The table draws its rows deferred too. The tools of the page load meanwhile: nothing here waits for them.
  const areRowsDrawn = useDeferredValue(rows) !== undefined
  const figures = useSpendFigures({
    view,
    window,
    now,
    zone,
    rows: isPlaceholder ? undefined : rows,
    isWholeList: view.page === 1 && !hasMore && isComplete && !isPlaceholder,
    isEnabled: areRowsDrawn && rows !== undefined,
  })
  const { total, trends, seriesIndexes } = figures
  // The chart may have ops of other pages.
  const opNames = useMemo(
    () =>
      nameOps([...(rows ?? noRows).flatMap((row) => row.op_name ?? []), ...(group === 'op_name' ? seriesIndexes.keys() : [])]),
    [rows, group, seriesIndexes],
  )
  const display = useMemo(
    (): SpendDisplay => ({
      group: rowGroup,
      total: total ?? undefined,
      trends,
      opNames,
      seriesIndexes,
      countWidths: measureCounts(rows ?? noRows),
      ...measureAmounts(rows ?? noRows),
    }),
    [rowGroup, total, trends, opNames, seriesIndexes, rows],
  )
  if (isMissingOperation(error) && !rows) return <MissingSpend />
  const unpricedCount = total?.unpriced_call_count ?? 0
  const hasUnpriced = unpricedCount > 0 || (rows ?? noRows).some((row) => row.unpriced_call_count > 0)
  const hasCached = (rows ?? noRows).some((row) => row.cache_read_input_tokens > 0)
  if (rows && (hasUnpriced !== shown.hasUnpriced || hasCached !== shown.hasCached)) setShown({ hasUnpriced, hasCached })
  return (
    <DataTable
      table={table}
      display={display}
      filters={<SpendFilters view={urlView} setView={setView} />}
      overview={
        // Nothing is asked for beside rows that cannot be read: a placeholder would promise it.
        total !== null &&
        (total !== undefined || !error || rows !== undefined) && (
          <SpendOverview view={view} setView={setView} window={window} figures={figures} opNames={opNames} />
        )
      }
      onClearFilters={hasSpendFilters(view) ? () => setView(noSpendFilters) : undefined}
      notes={
        <>
          {isRefused &&
            refused.problems.map(({ loc, msg }) => (
              <TableNote key={msg} tone="warning">
                {formatVisibleText(msg)}{' '}
                <Button onClick={() => setView({ whatif: urlView.whatif.toSpliced(2 * Number(loc[2]), 2) })}>Remove</Button>
              </TableNote>
            ))}
          {unpricedCount > 0 && (
            <TableNote tone="warning">
              Calls without a known price are in no sum of money. Once a price is added, past calls are priced too.
            </TableNote>
          )}
        </>
      }
      emptyMessage={<EmptySpend />}
    />
  )
}

const noRows: readonly SpendGroup[] = []
