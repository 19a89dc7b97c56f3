import { Suspense } from 'react'
import { lazyPart } from '../client/lazy-part'
import { PartFallback } from '../table/grid/PartFallback'
import { PageHeader } from '../ui/PageHeader'
import { useIsFirstContentShown } from '../ui/first-content'
import { Segmented } from '../ui/Segmented'
import { useUrlState } from '../table/view/use-url-state'
import { costParams } from './cost-view'
import { PricesView } from './PricesView'
import { SpendView } from './spend/SpendView'
import { useDefaultView } from './use-default-view'

const CostTools = lazyPart(async () => (await import('./CostTools')).CostTools)
const RecordsView = lazyPart(async () => (await import('./RecordsView')).RecordsView)

const views = [
  { value: 'spend', label: 'Spend' },
  { value: 'prices', label: 'Prices', title: 'The price in force of each model' },
  { value: 'records', label: 'Records', title: 'Every record of a price' },
] as const

export function CostsPage() {
  const [view, setView] = useUrlState(costParams)
  const isFirstContentShown = useIsFirstContentShown()
  const defaultView = useDefaultView(view.view === 'auto')
  const shown = view.view === 'auto' ? defaultView : view.view
  return (
    // Busy pages have no first content yet: what loads after it waits.
    <div className="table-page" aria-busy={shown === undefined}>
      <PageHeader
        title="Costs"
        views={
          <Segmented
            label="View"
            value={shown}
            options={views}
            // The columns of one view are not those of another.
            onChange={(next) => setView({ view: next, row: '', sort: costParams.sort.defaultValue, hidden: undefined })}
          />
        }
      >
        <div className="flex min-h-7 flex-wrap items-center justify-end gap-2">
          <Suspense>{isFirstContentShown && <CostTools shown={shown} />}</Suspense>
        </div>
      </PageHeader>
      <Suspense fallback={<PartFallback />}>
        {shown === undefined ? (
          <PartFallback />
        ) : shown === 'spend' ? (
          <SpendView />
        ) : shown === 'records' ? (
          <RecordsView view={view} setView={setView} />
        ) : (
          <PricesView view={view} setView={setView} />
        )}
      </Suspense>
    </div>
  )
}
