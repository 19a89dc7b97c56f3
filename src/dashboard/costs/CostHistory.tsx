import { isCatalogCost } from '../../contract/compare-prices'
import { compareInstants } from '../../contract/instant'
import type { ReceivedCost } from '../../contract/received-costs'
import { usePreferences } from '../format/preferences'
import { formatPriceChange } from '../format/price-change'
import { PanelSection } from '../table/grid/RowPanel'
import { EffectiveDate } from './cost-columns'
import { buildCostDisplay } from './cost-display'
import type { CostState } from './records/cost-states'
import { CostStateBadge } from './CostStateBadge'
import { PanelPrice, PanelPriceHeads } from './PanelPrice'

type Props = { records: readonly ReceivedCost[]; states: ReadonlyMap<string, CostState>; currentId: string | undefined }

/** Every record of the model at this provider, newest first, with the change from the previous record of the same source. */
export function CostHistory({ records, states, currentId }: Props) {
  const { zone } = usePreferences()
  const display = buildCostDisplay(records, { unit: '1M', zone })
  const newestFirst = records.toSorted((left, right) => compareDates(right, left))
  return (
    <PanelSection title="History">
      <div className="-mx-4">
        <table className="w-full tabular-nums" aria-label="Price history">
          <PanelPriceHeads first="Since" display={display} />
          <tbody>
            {newestFirst.map((cost, index) => {
              const before = newestFirst.slice(index + 1).find((older) => isCatalogCost(older) === isCatalogCost(cost))
              return (
                <tr
                  key={cost.id}
                  aria-current={cost.id === currentId ? 'true' : undefined}
                  className={`border-t border-line align-top ${cost.id === currentId ? 'bg-selected' : ''}`}
                >
                  <th scope="row" className="py-1.5 pl-4 text-left font-normal">
                    <EffectiveDate cost={cost} zone={zone} />
                    <span className="flex gap-2 text-xs text-quiet">
                      <CostStateBadge state={states.get(cost.id ?? '')} />
                      {isCatalogCost(cost) ? 'catalog' : 'yours'}
                    </span>
                  </th>
                  <PanelPrice
                    price={cost.prompt_token_cost}
                    currency={cost.prompt_token_cost_unit}
                    column={display.prompt}
                    display={display}
                    note={
                      before?.prompt_token_cost_unit === cost.prompt_token_cost_unit &&
                      formatPriceChange(before?.prompt_token_cost, cost.prompt_token_cost)
                    }
                  />
                  <PanelPrice
                    price={cost.completion_token_cost}
                    currency={cost.completion_token_cost_unit}
                    column={display.completion}
                    display={display}
                    note={
                      before?.completion_token_cost_unit === cost.completion_token_cost_unit &&
                      formatPriceChange(before?.completion_token_cost, cost.completion_token_cost)
                    }
                  />
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </PanelSection>
  )
}

/** A price without a date is the oldest: when it started is not known. */
function compareDates({ effective_date: left }: ReceivedCost, { effective_date: right }: ReceivedCost): number {
  return left && right ? compareInstants(left, right) : Number(Boolean(left)) - Number(Boolean(right))
}
