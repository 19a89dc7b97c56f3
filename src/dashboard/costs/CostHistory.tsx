import { isCatalogCost } from '../../contract/compare-prices'
import type { ReceivedCost } from '../../contract/received-costs'
import { usePreferences } from '../format/preferences'
import { formatPrice } from '../format/money'
import { formatChange } from '../format/money'
import { PanelSection } from '../table/grid/RowPanel'
import { EffectiveDate } from './cost-columns'
import type { CostState } from './cost-states'
import { CostStateBadge } from './CostStateBadge'

type Props = { records: readonly ReceivedCost[]; states: ReadonlyMap<string, CostState>; currentId: string | undefined }

/** Every record of the model at this provider, newest first, with the change from the previous record of the same source. */
export function CostHistory({ records, states, currentId }: Props) {
  const { zone } = usePreferences()
  const newestFirst = records.toSorted((left, right) => ((left.effective_date ?? '') < (right.effective_date ?? '') ? 1 : -1))
  return (
    <PanelSection title="History" aside={<span className="text-xs text-quiet">per 1M tokens</span>}>
      <ol className="-mx-4">
        {newestFirst.map((cost, index) => {
          const before = newestFirst.slice(index + 1).find((older) => isCatalogCost(older) === isCatalogCost(cost))
          return (
            <li
              key={cost.id}
              aria-current={cost.id === currentId ? 'true' : undefined}
              className={`grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-4 border-t border-line px-4 py-1.5 first:border-t-0 ${cost.id === currentId ? 'bg-selected' : ''}`}
            >
              <span>
                <EffectiveDate cost={cost} zone={zone} />
                <span className="flex gap-2 text-xs text-quiet">
                  <CostStateBadge state={states.get(cost.id ?? '')} />
                  {isCatalogCost(cost) ? 'catalog' : 'yours'}
                </span>
              </span>
              <Change
                name="prompt"
                price={cost.prompt_token_cost}
                unit={cost.prompt_token_cost_unit}
                before={before?.prompt_token_cost}
                beforeUnit={before?.prompt_token_cost_unit}
              />
              <Change
                name="completion"
                price={cost.completion_token_cost}
                unit={cost.completion_token_cost_unit}
                before={before?.completion_token_cost}
                beforeUnit={before?.completion_token_cost_unit}
              />
            </li>
          )
        })}
      </ol>
    </PanelSection>
  )
}

type ChangeProps = {
  name: string
  price: number | null | undefined
  unit: string | null | undefined
  before: number | null | undefined
  beforeUnit: string | null | undefined
}

function Change({ name, price, unit, before, beforeUnit }: ChangeProps) {
  const change = unit === beforeUnit ? formatChange(before, price) : undefined
  return (
    <span className="min-w-20 text-right tabular-nums">
      <span className="sr-only">{name} </span>
      {formatPrice(price, '1M').text} <span className="text-xs text-quiet">{unit}</span>
      <span className="block text-xs text-quiet">{change ?? name}</span>
    </span>
  )
}
