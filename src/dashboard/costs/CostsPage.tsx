import { Suspense } from 'react'
import { lazyPart } from '../client/lazy-part'
import { PartFallback } from '../table/grid/PartFallback'
import { PageHeader } from '../ui/PageHeader'
import { useIsFirstContentShown } from '../ui/first-content'
import { Segmented } from '../ui/Segmented'
import { useUrlState } from '../table/view/use-url-state'
import { costParams } from './cost-view'
import { PricesView } from './PricesView'

const PriceTools = lazyPart(async () => (await import('./PriceTools')).PriceTools)
const RecordsView = lazyPart(async () => (await import('./RecordsView')).RecordsView)

const views = [
  { value: 'prices', label: 'Prices', title: 'One row per provider and model: the price in force' },
  { value: 'records', label: 'Records', title: 'Every record, as the server has it' },
] as const

export function CostsPage() {
  const [view, setView] = useUrlState(costParams)
  const isFirstContentShown = useIsFirstContentShown()
  const View = view.view === 'records' ? RecordsView : PricesView
  return (
    <div className="table-page">
      <PageHeader title="Model costs">
        <Suspense>{isFirstContentShown && <PriceTools />}</Suspense>
        <Segmented label="View" value={view.view} options={views} onChange={(next) => setView({ view: next, row: '' })} />
      </PageHeader>
      <Suspense fallback={<PartFallback />}>
        <View view={view} setView={setView} />
      </Suspense>
    </div>
  )
}
