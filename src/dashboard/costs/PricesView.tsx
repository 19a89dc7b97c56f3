import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { ReceivedCost } from '../../contract/received-costs'
import { useConnection } from '../client/connection-context'
import { lazyPart, loadPart } from '../client/lazy-part'
import { usePreferences } from '../format/preferences'
import { FilterChip } from '../table/filter/FilterChip'
import { DataTable } from '../table/grid/DataTable'
import { ignoreCancellation } from '../table/view/table-data'
import { useLocalTable } from '../table/view/use-local-table'
import { useSteadyQuery } from '../table/view/use-steady-query'
import { useLastUpdatedAt } from '../table/view/use-table-state'
import type { SetView } from '../table/view/use-url-state'
import { useIsFirstContentShown } from '../ui/first-content'
import { getCostRowId, listPriceColumns } from './cost-columns'
import { buildCostDisplay } from './cost-display'
import { type CostView, hasCostFilters, noCostFilters, toAsOfInstant } from './cost-view'
import { CostFilters } from './CostFilters'
import { inForceRows } from './in-force-rows'
import type * as Extras from './price-extras'
import { findShadowed } from './records/find-shadowed'
import { hasCachePrices } from './records/service-fields'
import { maxRecords, startedCostsQuery } from './started-costs-query'
import { useWorkload } from './use-workload'
import { formatWorkload, parseWorkload } from './workload'

const CostNotes = lazyPart(async () => (await import('./CostNotes')).CostNotes)
const ComparePrices = lazyPart(async () => (await import('./ComparePrices')).ComparePrices)
const CompareButton = lazyPart(async () => (await import('./CompareButton')).CompareButton)
const WorkloadForm = lazyPart(async () => (await import('./WorkloadForm')).WorkloadForm)
const NoPrices = lazyPart(async () => (await import('./NoPrices')).NoPrices)
const CostPanel = lazyPart(async () => (await import('./CostPanel')).CostPanel)

const toDefinition = (has: Parameters<typeof listPriceColumns>[0]) => {
  const columns = listPriceColumns(has)
  return {
    name: 'costs',
    label: 'Model costs in force',
    // With it, all prices are on screen at 768 px.
    minFirstWidth: 150,
    topic: 'costs' as const,
    columns,
    getRowId: getCostRowId,
    sortableIds: columns.map(({ id }) => id),
  }
}

/** One row per provider and model, as of a day. All records are read, then grouped, sorted and paged in the browser. */
export function PricesView({ view, setView }: { view: CostView; setView: SetView<CostView> }) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const isFirstContentShown = useIsFirstContentShown()
  const isFiltered = hasCostFilters(view)

  // Where there are too many records to read them all, filters are sent to the server to get fewer.
  const allOptions = startedCostsQuery(view, connection)
  const all = useSteadyQuery(allOptions, view)
  const isServerFiltered = isTooMany(all.data) && isFiltered
  const filteredOptions = startedCostsQuery(view, connection, view)
  const filtered = useSteadyQuery({ ...filteredOptions, enabled: isServerFiltered }, view)
  const query = isServerFiltered ? filtered : all
  const isStillTooMany = isTooMany(query.data)

  const received = query.data?.rows
  const hasAnyRows = received !== undefined && received.length > 0
  const isReady = query.data?.isComplete || (!query.isFetching && !isStillTooMany && hasAnyRows)
  const readyRecords = isReady ? received : undefined
  // Deferred: grouping thousands of records must not block the task that received them.
  const records = useDeferredValue(readyRecords)
  const asOf = toAsOfInstant(view, useLastUpdatedAt(query.updatedAt))
  const { search, provider, source, sort, flag } = view
  const extras = useExtras(flag !== '')
  const { tokens, problem } = useWorkload(view.workload)
  const rows = useMemo(() => {
    if (isStillTooMany) return noRows
    const found = records && inForceRows(records, asOf, { search, provider, source, sort, workload: tokens })
    return flag === '' ? found : records && found && extras?.selectFlagged(found, records, { asOf, flag })
  }, [records, isStillTooMany, asOf, search, provider, source, sort, flag, extras, tokens])

  const hasWorkload = view.workload !== ''
  const cachePrices = hasCachePrices(connection)
  const definition = useMemo(() => toDefinition({ cachePrices, workload: hasWorkload }), [cachePrices, hasWorkload])
  const table = useLocalTable(definition, {
    view,
    setView,
    rows,
    status: {
      readCount: received?.length ?? 0,
      isFetching: query.isFetching || records !== readyRecords,
      isPlaceholder: query.isPrevious,
      isComplete: isStillTooMany || (query.data?.isComplete ?? false),
      brokenLines: query.data?.brokenLines ?? [],
      error: ignoreCancellation(query.error),
      updatedAt: query.updatedAt,
      // Sorted and filtered here, so the rows always belong to the view.
      rowsView: view,
      refetch: query.refetch,
      cancel: () => {
        const { queryKey } = isServerFiltered ? filteredOptions : allOptions
        void queryClient.cancelQueries({ queryKey }, { revert: false })
      },
    },
    toRequests: async () => {
      const { inForceRequests } = await import('./in-force-requests')
      return inForceRequests({ view, asOf, connection, records: received ?? noRows })
    },
  })
  const shadowedIds = useMemo(() => records && findShadowed(records, asOf), [records, asOf])
  const display = useMemo(
    () => buildCostDisplay(table.data.rows ?? noRows, { unit: view.unit, zone, tokens, shadowedIds }),
    [table.data.rows, view.unit, zone, tokens, shadowedIds],
  )
  return (
    <>
      <DataTable
        table={table}
        display={display}
        filters={
          <CostFilters view={view} setView={setView} records={records} recordsAsOf={asOf}>
            <FilterChip label="Workload" value={formatChoice(view.workload)} unsetText="Workload" isSet={hasWorkload}>
              {(close) => <WorkloadForm view={view} setView={setView} close={close} />}
            </FilterChip>
          </CostFilters>
        }
        onClearFilters={isFiltered && !isStillTooMany ? () => setView(noCostFilters) : undefined}
        notes={
          <Suspense>
            {isFirstContentShown && (
              <CostNotes
                costs={rows ?? noRows}
                view={view}
                sorter="browser"
                records={records}
                recordsAsOf={asOf}
                workloadProblem={problem}
              />
            )}
          </Suspense>
        }
        emptyMessage={
          <Suspense>
            <NoPrices asOf={view.asof} isTooMany={isStillTooMany} isFiltered={isFiltered} />
          </Suspense>
        }
        renderSelectionActions={(ids) => <CompareButton ids={ids} onCompare={() => setView({ compare: ids })} />}
        renderPanel={(cost, id, controls) => (
          <CostPanel rowOnPage={cost} id={id} controls={controls} asOf={asOf} setView={setView} />
        )}
      />
      {view.compare.length > 0 && (
        <Suspense>
          <ComparePrices
            ids={view.compare}
            records={records}
            unit={view.unit}
            tokens={tokens}
            // Back must not open what was closed.
            onChange={(compare) => setView({ compare }, { replace: true })}
          />
        </Suspense>
      )}
    </>
  )
}

const noRows: readonly ReceivedCost[] = []

function formatChoice(text: string): string | undefined {
  const tokens = parseWorkload(text)
  return tokens ? formatWorkload(tokens) : text === 'mix' ? 'this project, 30 days' : undefined
}

/** What only some views need, in the file of the notes; undefined until it is loaded. */
function useExtras(isNeeded: boolean) {
  const [extras, setExtras] = useState<typeof Extras>()
  useEffect(() => {
    if (isNeeded) void loadPart(() => import('./price-extras')).then(setExtras)
  }, [isNeeded])
  return extras
}

function isTooMany(data: { rows: readonly ReceivedCost[]; isComplete: boolean } | undefined): boolean {
  return data !== undefined && data.rows.length >= maxRecords && !data.isComplete
}
