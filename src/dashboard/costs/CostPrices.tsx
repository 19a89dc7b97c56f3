import { isCatalogCost } from '../../contract/compare-prices'
import type { ReceivedCost } from '../../contract/received-costs'
import { usePreferences } from '../format/preferences'
import { type PriceUnit, formatPrice, formatRatio } from '../format/money'
import { formatVisibleText } from '../format/visible-text'
import { Facts, PanelSection } from '../table/grid/RowPanel'
import { EffectiveDate, getPriceRatio, formatCurrencies } from './cost-columns'
import type { CostState } from './records/cost-states'
import { earlierCallsText } from './records/earlier-calls'
import { CostStateBadge } from './CostStateBadge'
import { ForeignText } from '../format/ForeignText'

const units: { unit: PriceUnit; words: string }[] = [
  { unit: 'token', words: 'token' },
  { unit: '1K', words: '1K tokens' },
  { unit: '1M', words: '1M tokens' },
]

type Props = {
  cost: ReceivedCost
  state: CostState | undefined
  /** Whether it is for calls before its start as well. */
  isForEarlier: boolean
}

/** The prices in three units with all their digits, and the other fields of the record. */
export function CostPrices({ cost, state, isForEarlier }: Props) {
  const { zone } = usePreferences()
  const ratio = getPriceRatio(cost)
  const prices: (readonly [name: string, price: number | null | undefined])[] = [
    ['Prompt', cost.prompt_token_cost],
    ['Completion', cost.completion_token_cost],
  ]
  if (cost.cache_read_input_token_cost !== null) prices.push(['Cached read', cost.cache_read_input_token_cost])
  if (cost.cache_creation_input_token_cost !== null) prices.push(['Cache write', cost.cache_creation_input_token_cost])
  // Up to these characters, a row fits on the narrowest screen. Only longer ones are broken.
  const fits = prices.every(([, price]) => units.map(({ unit }) => format(price, unit)).join('').length < 27)
  return (
    <>
      <PanelSection title="Prices">
        <table className="w-full tabular-nums" aria-label="Prices in three units">
          <thead>
            <tr className="text-xs text-quiet">
              <th scope="col" className="py-1 text-left font-normal">
                {`${formatVisibleText(formatCurrencies(cost))} per`}
              </th>
              {units.map(({ unit, words }) => (
                <th key={unit} scope="col" className="py-1 pl-1 text-right font-normal">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prices.map(([name, price]) => (
              <tr key={name}>
                <th scope="row" className="py-0.5 text-left font-normal text-quiet">
                  {name}
                </th>
                {units.map(({ unit }) => (
                  <td key={unit} className={`py-0.5 pl-2 text-right ${fits ? 'whitespace-nowrap' : 'break-all'}`}>
                    {format(price, unit)}
                  </td>
                ))}
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
            {
              name: 'Since',
              value: (
                <>
                  <EffectiveDate cost={cost} zone={zone} hasTime />
                  {isForEarlier && `, ${earlierCallsText}`}
                </>
              ),
            },
            { name: 'Completion / prompt', value: ratio === undefined ? '—' : formatRatio(ratio) },
            { name: 'Source', value: isCatalogCost(cost) ? 'built-in catalog' : 'yours' },
          ]}
        />
      </PanelSection>
    </>
  )
}

/** All digits, and at least two decimals. */
function format(price: number | null | undefined, unit: PriceUnit): string {
  const shown = formatPrice(price, unit)
  return shown.kind === 'amount' && shown.isRounded ? shown.exact : shown.text
}
