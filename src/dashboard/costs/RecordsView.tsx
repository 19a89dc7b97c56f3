import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type CostField, costFields } from '../../contract/cost-fields'
import type { ReceivedCost } from '../../contract/received-costs'
import { useConnection } from '../client/connection-context'
import { lazyPart } from '../client/lazy-part'
import { usePreferences } from '../format/preferences'
import { ChoiceChip } from '../table/filter/ChoiceChip'
import { DataTable } from '../table/grid/DataTable'
import { useRemoteTable } from '../table/view/use-remote-table'
import type { SetView } from '../table/view/use-url-state'
import { recordColumns } from './record-columns'
import { getCostRowId } from './cost-columns'
import { costRows } from './records/cost-rows'
import { buildCostDisplay } from './cost-display'
import { queryByModels } from './records/model-costs-query'
import { filterQuery, requiredCostFields } from './record-request'
import { costStates } from './records/cost-states'
import { type CostView, hasCostFilters, noCostFilters, toAsOfInstant } from './cost-view'
import { CostNotes } from './CostNotes'
import { CostFilters } from './CostFilters'
import { NoCosts } from './NoPrices'
import { startedCostsQuery } from './started-costs-query'

const CostPanel = lazyPart(async () => (await import('./CostPanel')).CostPanel)

const recordsTable = {
  name: 'costs',
  label: 'Model cost records',
  topic: 'costs' as const,
  columns: recordColumns,
  getRowId: getCostRowId,
  source: costRows,
  sortableIds: costFields,
  exportPageSize: 1000,
}
const starts = [
  { value: 'any', label: 'Any state' },
  { value: 'started', label: 'started' },
  { value: 'scheduled', label: 'scheduled', hint: 'starts later' },
] as const
const maxSiblings = 5000
const siblingFields: CostField[] = ['id', 'llm_id', 'provider_id', 'effective_date']

/** Every record, as on the wire: sorted, filtered and paged by the server. */
export function RecordsView({ view, setView }: { view: CostView; setView: SetView<CostView> }) {
  const connection = useConnection()
  const { zone } = usePreferences()
  const [openedAt] = useState(() => new Date().toISOString())
  const table = useRemoteTable(recordsTable, {
    view,
    setView,
    toInput: (page, hiddenIds) => ({
      ...page,
      query: filterQuery(view, openedAt),
      fields: requiredCostFields(hiddenIds),
    }),
  })
  const { rows = noRows, isPlaceholder } = table.data

  // The state of a record depends on all records of its model, also those of other pages.
  const models = [...new Set(rows.flatMap(({ llm_id }) => llm_id ?? []))].toSorted()
  const siblingsInput = {
    project_id: connection.projectId,
    fields: siblingFields,
    query: queryByModels(models),
    limit: maxSiblings,
  }
  const siblings = useQuery({
    ...costRows.toQuery(siblingsInput, connection),
    enabled: models.length > 0 && !isPlaceholder,
    placeholderData: keepPreviousData,
  }).data?.rows
  const asOf = toAsOfInstant(view, table.lastUpdatedAt)
  const display = useMemo(() => {
    const states = siblings && siblings.length < maxSiblings ? costStates(siblings, asOf) : undefined
    return buildCostDisplay(rows, { unit: view.unit, zone, toState: ({ id }) => states?.get(id ?? '') })
  }, [rows, siblings, asOf, view.unit, zone])

  const [isProviderFilterOpened, setIsProviderFilterOpened] = useState(false)
  const started = useQuery({ ...startedCostsQuery({ asof: '' }, connection), enabled: isProviderFilterOpened }).data

  return (
    <DataTable
      table={{
        ...table,
        toRequests: async () => [
          ...(await table.toRequests()),
          {
            endpoint: costRows.endpoint,
            input: siblingsInput,
            note: 'All records of these models, which tell the state of each row.',
          },
        ],
      }}
      display={display}
      filters={
        <CostFilters
          view={view}
          setView={setView}
          records={started?.isComplete ? started.rows : undefined}
          recordsAsOf={openedAt}
          onOpenProviders={() => setIsProviderFilterOpened(true)}
        >
          <ChoiceChip
            label="State"
            value={view.start}
            unsetValue="any"
            choices={starts}
            onChange={(start) => setView({ start })}
          />
        </CostFilters>
      }
      onClearFilters={hasCostFilters(view) ? () => setView(noCostFilters) : undefined}
      notes={<CostNotes costs={rows} view={{ asof: '', sort: table.view.sort }} sorter="server" />}
      emptyMessage={<NoCosts />}
      renderPanel={(cost, id, controls) => (
        <CostPanel rowOnPage={cost} id={id} controls={controls} asOf={asOf} setView={setView} />
      )}
    />
  )
}

const noRows: readonly ReceivedCost[] = []
