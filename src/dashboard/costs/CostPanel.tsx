import { useQuery } from '@tanstack/react-query'
import type { ReceivedCost } from '../../contract/received-costs'
import { isCatalogCost } from '../../contract/compare-prices'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { formatVisibleLines } from '../format/visible-text'
import { PanelSection, RowPanel } from '../table/grid/RowPanel'
import type { PanelControls } from '../table/grid/use-row-navigation'
import { type SetView, useUrlState } from '../table/view/use-url-state'
import { editParams } from './edit/edit-params'
import { useTakesPrices } from './edit/use-takes-prices'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'
import { Skeleton } from '../ui/Skeleton'
import { CostHistory } from './CostHistory'
import { CostPrices } from './CostPrices'
import { costByIdQuery } from './records/cost-by-id-query'
import { costStates } from './records/cost-states'
import { isForEarlierCalls } from './records/earlier-calls'
import { costsInForce } from './records/costs-in-force'
import { modelCostsQuery } from './records/model-costs-query'
import { OtherProviders } from './OtherProviders'
import { PriceUsage } from './PriceUsage'
import { listCostFields } from './records/service-fields'
import type { CostView } from './cost-view'
import { ForeignText } from '../format/ForeignText'

type Props = {
  /** Undefined where the record is not among the rows of this page. */
  rowOnPage: ReceivedCost | undefined
  id: string
  controls: PanelControls
  /** The moment of the view, in the wire's form. */
  asOf: string
  setView: SetView<CostView>
}

/** One record: its price in every unit, the model's history at this provider, and its prices at other providers. */
export function CostPanel({ rowOnPage, id, controls, asOf, setView }: Props) {
  const connection = useConnection()
  // A link may name a record of another page.
  const otherPage = useQuery({
    ...costByIdQuery(id, connection),
    enabled: !rowOnPage,
  })
  const cost = rowOnPage ?? otherPage.data?.rows.find((row) => row.id === id)
  return (
    <RowPanel kind="Cost" title={<ForeignText text={cost?.llm_id ?? id} />} id={cost?.llm_id ?? id} controls={controls}>
      {!rowOnPage && (
        <p className="border-b border-line px-4 py-3 text-quiet">
          {otherPage.isPending
            ? 'Looking for this record…'
            : cost
              ? 'This record is not on this page of the table.'
              : otherPage.error
                ? `This record could not be looked up. ${otherPage.error.message}`
                : 'There is no such record.'}
        </p>
      )}
      {cost && (
        <CostDetail
          key={cost.id}
          cost={cost}
          asOf={asOf}
          onShowModel={(model) => setView({ view: 'records', search: model, row: '' })}
        />
      )}
    </RowPanel>
  )
}

function CostDetail({ cost, asOf, onShowModel }: { cost: ReceivedCost; asOf: string; onShowModel: (model: string) => void }) {
  const connection = useConnection()
  const takesPrices = useTakesPrices()
  const [, setParams] = useUrlState(editParams)
  const model = cost.llm_id ?? ''
  const query = useQuery(modelCostsQuery([model], connection))
  // A service may ignore or refuse the query: then it sends the records of all models.
  const records = query.data?.rows.filter(({ llm_id }) => llm_id === cost.llm_id) ?? []
  const full = records.find(({ id }) => id === cost.id) ?? cost
  const states = costStates(records, asOf)
  const isForEarlier =
    query.data !== undefined &&
    !isCatalogCost(full) &&
    isForEarlierCalls(
      full,
      records.filter((record) => record !== full),
    )
  const history = records.filter(({ provider_id }) => provider_id === cost.provider_id)
  const others = costsInForce(records, asOf).filter(({ provider_id }) => provider_id !== cost.provider_id)
  // What was not asked for is not part of the record.
  const json = JSON.stringify(full, listCostFields(connection), 2)
  return (
    <>
      <CostPrices cost={full} state={states.get(cost.id ?? '')} isForEarlier={isForEarlier} />
      {query.isPending && (
        <div className="px-4 py-3" aria-busy="true">
          <Skeleton className="h-3 w-48" />
        </div>
      )}
      {query.error && (
        <div className="px-4 py-3">
          <Banner
            tone="bad"
            title="The history could not be read"
            actions={<Button onClick={() => void query.refetch()}>Retry</Button>}
          >
            {query.error.message}
          </Banner>
        </div>
      )}
      {query.data && (
        <>
          <CostHistory records={history} states={states} currentId={cost.id ?? undefined} asOf={asOf} />
          <OtherProviders cost={full} others={others} />
        </>
      )}
      {usesSession(connection) && <PriceUsage cost={full} />}
      <PanelSection title="Record" aside={<CopyButton label="Copy JSON" text={json} />}>
        <pre className="rounded-md bg-sunken p-2 font-mono text-xs break-all whitespace-pre-wrap">{formatVisibleLines(json)}</pre>
        <p className="mt-2 flex flex-wrap gap-2">
          <CopyButton hasText label="Copy id" text={cost.id ?? ''} />
          <CopyButton hasText label="Copy model" text={model} />
          <Button onClick={() => onShowModel(model)}>All records of this model</Button>
          {takesPrices && cost.id !== null && (
            <>
              <Button onClick={() => setParams({ correct: cost.id ?? '' })}>
                {isCatalogCost(cost) ? 'Set your own price' : 'Correct'}
              </Button>
              {!isCatalogCost(cost) && (
                <Button variant="danger" onClick={() => setParams({ remove: cost.id ?? '' })}>
                  Remove
                </Button>
              )}
            </>
          )}
        </p>
      </PanelSection>
    </>
  )
}
