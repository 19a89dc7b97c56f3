import { SavedViews } from '../table/saved-views/lazy-saved-views'
import { type CostView, costParams } from './cost-view'
import { PriceTools } from './PriceTools'
import { spendParams } from './spend/spend-view'

const paramNames = [...Object.keys(costParams), ...Object.keys(spendParams)]

/** What can be done on the page beside looking: its saved views, and more prices. */
export function CostTools({ shown }: { shown: CostView['view'] | undefined }) {
  return (
    <>
      <SavedViews page="costs" paramNames={paramNames} />
      {shown !== 'spend' && <PriceTools />}
    </>
  )
}
