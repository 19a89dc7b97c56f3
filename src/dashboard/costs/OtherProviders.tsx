import type { ReceivedCost } from '../../contract/received-costs'
import { usePreferences } from '../format/preferences'
import { formatPriceChange } from '../format/price-change'
import { PanelSection } from '../table/grid/RowPanel'
import { buildCostDisplay } from './cost-display'
import { PanelPrice, PanelPriceHeads } from './PanelPrice'
import { sortByPrice } from './sort-by-price'
import { ForeignText } from '../format/ForeignText'

/** The model's prices at other providers. Only prices in the same currency are compared. */
export function OtherProviders({ cost, others }: { cost: ReceivedCost; others: readonly ReceivedCost[] }) {
  const { zone } = usePreferences()
  if (others.length === 0) return null
  const display = buildCostDisplay(others, { unit: '1M', zone })
  return (
    <PanelSection title="At other providers" aside={<span className="text-xs text-quiet">change against this price</span>}>
      <div className="-mx-4">
        <table className="w-full tabular-nums" aria-label="The same model at other providers">
          <PanelPriceHeads first="Provider" display={display} />
          <tbody>
            {sortByPrice(others, cost.prompt_token_cost_unit).map((other) => (
              <tr key={other.id} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pl-4 text-left font-normal break-all">
                  {other.provider_id === null ? 'not set' : <ForeignText text={other.provider_id} />}
                </th>
                <PanelPrice
                  price={other.prompt_token_cost}
                  currency={other.prompt_token_cost_unit}
                  column={display.prompt}
                  display={display}
                  note={
                    other.prompt_token_cost_unit === cost.prompt_token_cost_unit &&
                    formatDifference(cost.prompt_token_cost, other.prompt_token_cost)
                  }
                />
                <PanelPrice
                  price={other.completion_token_cost}
                  currency={other.completion_token_cost_unit}
                  column={display.completion}
                  display={display}
                  note={
                    other.completion_token_cost_unit === cost.completion_token_cost_unit &&
                    formatDifference(cost.completion_token_cost, other.completion_token_cost)
                  }
                />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </PanelSection>
  )
}

function formatDifference(own: number | null, other: number | null): string | undefined {
  const change = formatPriceChange(own, other)
  return change === 'no change' ? 'the same' : change
}
