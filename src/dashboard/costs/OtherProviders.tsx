import type { ReceivedCost } from '../../contract/received-costs'
import { formatPrice } from '../format/money'
import { formatChange } from '../format/money'
import { PanelSection } from '../table/grid/RowPanel'
import { formatCurrencies } from './cost-columns'

/** The model's prices at other providers. Only prices in the same currency are compared. */
export function OtherProviders({ cost, others }: { cost: ReceivedCost; others: readonly ReceivedCost[] }) {
  if (others.length === 0) return null
  const cheapestFirst = others.toSorted(
    (left, right) => (left.prompt_token_cost ?? Infinity) - (right.prompt_token_cost ?? Infinity),
  )
  return (
    <PanelSection
      title="At other providers"
      aside={<span className="text-xs text-quiet">per 1M tokens, against this price</span>}
    >
      <table className="w-full tabular-nums" aria-label="The same model at other providers">
        <thead className="sr-only">
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">Prompt price</th>
            <th scope="col">Completion price</th>
          </tr>
        </thead>
        <tbody>
          {cheapestFirst.map((other) => (
            <tr key={other.id} className="align-top">
              <th scope="row" className="py-1 text-left font-normal break-all">
                {other.provider_id ?? 'not set'}
              </th>
              <Price
                price={other.prompt_token_cost}
                own={isSameUnit(cost, other) ? cost.prompt_token_cost : undefined}
                unit={formatCurrencies(other)}
              />
              <Price
                price={other.completion_token_cost}
                own={isSameUnit(cost, other) ? cost.completion_token_cost : undefined}
                unit={formatCurrencies(other)}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </PanelSection>
  )
}

function Price({ price, own, unit }: { price: number | null | undefined; own: number | null | undefined; unit: string }) {
  const change = formatChange(own, price)
  return (
    <td className="py-1 pl-4 text-right">
      {formatPrice(price, '1M').text} <span className="text-xs text-quiet">{unit}</span>
      {change && <span className="block text-xs text-quiet">{change === 'no change' ? 'the same' : change}</span>}
    </td>
  )
}

function isSameUnit(left: ReceivedCost, right: ReceivedCost): boolean {
  return formatCurrencies(left) === formatCurrencies(right)
}
