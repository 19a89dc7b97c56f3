import { isCatalogCost } from '../../contract/compare-prices'
import type { ReceivedCost } from '../../contract/received-costs'
import { usePreferences } from '../format/preferences'
import { type PriceUnit, formatPrice, formatRatio } from '../format/money'
import { Facts, PanelSection } from '../table/grid/RowPanel'
import { EffectiveDate, getPriceRatio, formatCurrencies } from './cost-columns'
import type { CostState } from './records/cost-states'
import { CostStateBadge } from './CostStateBadge'
import { ForeignText } from '../format/ForeignText'

const units: { unit: PriceUnit; words: string }[] = [
  { unit: 'token', words: 'per token' },
  { unit: '1K', words: 'per 1K tokens' },
  { unit: '1M', words: 'per 1M tokens' },
]

/** The prices in three units with all their digits, and the other fields of the record. */
export function CostPrices({ cost, state }: { cost: ReceivedCost; state: CostState | undefined }) {
  const { zone } = usePreferences()
  const ratio = getPriceRatio(cost)
  const hasCacheRead = cost.cache_read_input_token_cost !== null
  return (
    <>
      <PanelSection title="Prices">
        <table className="w-full tabular-nums" aria-label="Prices in three units">
          <thead>
            <tr className="text-xs text-quiet">
              <th scope="col" className="py-1 text-left font-normal">
                {formatCurrencies(cost)}
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                Prompt
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                Completion
              </th>
              {hasCacheRead && (
                <th scope="col" className="py-1 text-right font-normal">
                  Cached read
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {units.map(({ unit, words }) => (
              <tr key={unit}>
                <th scope="row" className="py-0.5 text-left font-normal text-quiet">
                  {words}
                </th>
                <td className="py-0.5 pl-2 text-right break-all">{exact(cost.prompt_token_cost, unit)}</td>
                <td className="py-0.5 pl-2 text-right break-all">{exact(cost.completion_token_cost, unit)}</td>
                {hasCacheRead && (
                  <td className="py-0.5 pl-2 text-right break-all">{exact(cost.cache_read_input_token_cost, unit)}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </PanelSection>
      <PanelSection title="Facts">
        <Facts
          facts={[
            { name: 'State', value: <CostStateBadge state={state} /> },
            { name: 'Provider', value: cost.provider_id === null ? 'not set' : <ForeignText text={cost.provider_id} /> },
            { name: 'Since', value: <EffectiveDate cost={cost} zone={zone} /> },
            { name: 'Completion / prompt', value: ratio === undefined ? '—' : formatRatio(ratio) },
            { name: 'Source', value: isCatalogCost(cost) ? 'built-in catalog' : 'yours' },
          ]}
        />
      </PanelSection>
    </>
  )
}

function exact(price: number | null | undefined, unit: PriceUnit): string {
  const shown = formatPrice(price, unit)
  return shown.kind === 'free' ? 'free' : shown.exact
}
