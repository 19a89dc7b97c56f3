import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { costFields } from '../../contract/cost-fields'
import { queryCosts } from '../../contract/costs'
import { useConnection } from '../client/connection-context'
import { usePreferences } from '../format/preferences'
import { endpointQuery } from '../client/endpoint-query'
import { allPages } from '../table/view/all-pages'
import { DataTable } from '../table/grid/DataTable'
import { useTableLayout } from '../table/grid/table-layout'
import { hiddenColumns } from '../table/grid/use-column-model'
import { usePageAnswer } from '../table/view/use-page-answer'
import { useLastUpdatedAt } from '../table/view/use-seen-at'
import type { SetView } from '../table/view/use-url-state'
import { buildCostDisplay } from './cost-display'
import { costColumns, type CostRow } from './cost-columns'
import { startedCostsQuery } from './started-costs-query'
import { costStates } from './cost-states'
import { toAsOfInstant, type CostView, hasCostFilters, noCostFilters } from './cost-view'
import { CostFilters } from './CostFilters'
import { requiredCostFields } from './fields-for'
import { formatNoCosts } from './no-costs-text'
import { providerCounts } from './in-force-rows'
import { MixedCurrencies } from './MixedCurrencies'
import { filterQuery, queryByModels } from './record-query'
import { renderCostPanel } from './render-cost-panel'

const sortable: ReadonlySet<string> = new Set(costFields)
const idOf = ({ cost }: CostRow) => cost.id ?? ''
const mostForStates = 5000

/** Every record, as the wire has them: sorted, filtered and cut into pages by the server. */
export function AllCosts({ view: asked, setView }: { view: CostView; setView: SetView<CostView> }) {
  // "In force" sorts by columns the server does not know.
  const view = useMemo(() => ({ ...asked, sort: asked.sort.filter(({ id }) => sortable.has(id)) }), [asked])
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const [layout] = useTableLayout('costs', connection.projectId)
  const [openedAt] = useState(() => new Date().toISOString())
  const { projectId: project_id } = connection

  const fields = requiredCostFields(hiddenColumns(costColumns, view, layout))
  const sort_by = view.sort.flatMap(({ id, direction }) => {
    const field = costFields.find((name) => name === id)
    return field ? [{ field, direction }] : []
  })
  const common = { project_id, query: filterQuery(view, openedAt), ...(sort_by.length > 0 && { sort_by }) }
  const input = { ...common, fields, limit: view.size + 1, offset: (view.page - 1) * view.size }
  const options = endpointQuery(queryCosts, input, connection)
  const query = useQuery({ ...options, placeholderData: keepPreviousData })

  // The state of a record depends on all records of its model, also those on other pages.
  const models = [...new Set(query.data?.results.flatMap(({ llm_id }) => llm_id ?? []))].toSorted()
  const siblings = useQuery({
    ...endpointQuery(
      queryCosts,
      {
        project_id,
        fields: ['id', 'llm_id', 'provider_id', 'effective_date'],
        query: queryByModels(models),
        limit: mostForStates,
      },
      connection,
    ),
    enabled: models.length > 0 && !query.isPlaceholderData,
    placeholderData: keepPreviousData,
  })
  const seenAt = useLastUpdatedAt(siblings.dataUpdatedAt)
  const states = useMemo(() => {
    const records = siblings.data?.results
    return records && records.length < mostForStates ? costStates(records, toAsOfInstant({ asof: view.asof }, seenAt)) : undefined
  }, [siblings.data, seenAt, view.asof])

  const [isCounting, setIsCounting] = useState(false)
  const started = useQuery({ ...startedCostsQuery({ asof: '' }, connection), enabled: isCounting })
  const counts = useMemo(() => started.data?.isComplete && providerCounts(started.data.rows, openedAt), [started.data, openedAt])

  const rows = useMemo(
    () => query.data?.results.map((cost): CostRow => ({ cost, state: cost.id === undefined ? undefined : states?.get(cost.id) })),
    [query.data, states],
  )
  const answer = usePageAnswer(query, {
    rows,
    size: view.size,
    isComplete: query.data !== undefined,
    cancel: () => void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false }),
  })
  const context = useMemo(
    () =>
      buildCostDisplay(
        (rows ?? []).map(({ cost }) => cost),
        view.unit,
        zone,
      ),
    [rows, view.unit, zone],
  )
  return (
    <DataTable
      name="costs"
      label="All cost records"
      columns={costColumns}
      context={context}
      idOf={idOf}
      sortable={sortable}
      view={view}
      setView={setView}
      answer={answer}
      filters={
        <CostFilters
          view={view}
          setView={setView}
          providers={{ counts: counts || undefined, onOpen: () => setIsCounting(true) }}
        />
      }
      isFiltered={hasCostFilters(view)}
      onClearFilters={() => setView(noCostFilters)}
      whenEmpty={formatNoCosts('')}
      notes={<MixedCurrencies rows={rows} sort={view.sort} sorter="server" />}
      request={{ endpoint: queryCosts, input }}
      readAll={(signal) =>
        allPages(1000, signal, async (page) => {
          const { results } = await queryClient.fetchQuery({
            ...endpointQuery(queryCosts, { ...common, fields, ...page }, connection),
            gcTime: 0,
          })
          return results.map((cost): CostRow => ({ cost, state: cost.id === undefined ? undefined : states?.get(cost.id) }))
        })
      }
      renderPanel={(row, id, controls) => renderCostPanel({ row, id, controls, asOf: toAsOfInstant(view, seenAt), setView })}
    />
  )
}
