import { Suspense } from 'react'
import { isCatalogCost } from '../../contract/compare-prices'
import { compareText } from '../../contract/compare-text'
import { compareInstants } from '../../contract/instant'
import type { ReceivedCost } from '../../contract/received-costs'
import { lazyPart } from '../client/lazy-part'
import { usePreferences } from '../format/preferences'
import { PanelSection } from '../table/grid/RowPanel'
import { EffectiveDate } from './cost-columns'
import type { CostState } from './records/cost-states'
import { CostStateBadge } from './CostStateBadge'
import { PanelPrices } from './PanelPrices'

// With the charts of Spend, which bring their library.
const PriceChart = lazyPart(async () => (await import('./PriceChart')).PriceChart)

type Props = {
  records: readonly ReceivedCost[]
  states: ReadonlyMap<string, CostState>
  currentId: string | undefined
  /** The moment of the view, in the wire's form. */
  asOf: string
}

/** Every record of the model at this provider, newest first, with the change from the previous record of the same source. */
export function CostHistory({ records, states, currentId, asOf }: Props) {
  const { zone } = usePreferences()
  // Of records with one date the later made is the correction: ids rise with time.
  const newestFirst = records.toSorted((left, right) => compareDates(right, left) || compareText(right.id ?? '', left.id ?? ''))
  return (
    <PanelSection title="History">
      <Suspense>{records.length > 1 && <PriceChart records={records} asOf={asOf} />}</Suspense>
      <PanelPrices
        label="Price history"
        first="Since"
        costs={newestFirst}
        currentId={currentId}
        renderHead={(cost) => (
          <>
            <EffectiveDate cost={cost} zone={zone} />
            <span className="flex flex-wrap gap-x-2 text-xs text-quiet">
              <CostStateBadge state={states.get(cost.id ?? '')} />
              {isCatalogCost(cost) ? 'catalog' : 'yours'}
            </span>
          </>
        )}
        toBase={(cost, index) => newestFirst.slice(index + 1).find((older) => isCatalogCost(older) === isCatalogCost(cost))}
        equal="no change"
      />
    </PanelSection>
  )
}

/** A price without a date is the oldest: when it started is not known. */
function compareDates({ effective_date: left }: ReceivedCost, { effective_date: right }: ReceivedCost): number {
  return left && right ? compareInstants(left, right) : Number(Boolean(left)) - Number(Boolean(right))
}
