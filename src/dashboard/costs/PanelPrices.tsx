import type { ReactNode } from 'react'
import type { ReceivedCost } from '../../contract/received-costs'
import { formatPriceChange } from '../format/price-change'
import { usePreferences } from '../format/preferences'
import { buildCostDisplay } from './cost-display'
import { PriceCell } from './PriceCell'

type Props = {
  label: string
  /** The heading of the first column. */
  first: string
  costs: readonly ReceivedCost[]
  renderHead: (cost: ReceivedCost) => ReactNode
  /** What the prices are compared with: only those in the same currency are. */
  toBase: (cost: ReceivedCost, index: number) => ReceivedCost | undefined
  /** How an equal price is called. */
  equal: string
  currentId?: string | undefined
}

const prices = [
  { name: 'Prompt', place: 'prompt', id: 'prompt_token_cost', unitField: 'prompt_token_cost_unit' },
  { name: 'Completion', place: 'completion', id: 'completion_token_cost', unitField: 'completion_token_cost_unit' },
] as const

/** A small table of prices in the panel, with their unit above it. Where a row is too narrow, its prices get a line of their own. */
export function PanelPrices({ label, first, costs, renderHead, toBase, equal, currentId }: Props) {
  const { zone } = usePreferences()
  const display = buildCostDisplay(costs, { unit: '1M', zone })
  return (
    <table className="panel-prices" aria-label={label}>
      <caption>{`${display.currency ?? ''} per 1M tokens`}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {prices.map(({ name, place }) => (
            <th key={name} scope="col" style={{ width: display[place].minWidth }}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {costs.map((cost, index) => {
          const base = toBase(cost, index)
          return (
            <tr key={cost.id} aria-current={cost.id === currentId ? 'true' : undefined}>
              <th scope="row">{renderHead(cost)}</th>
              {prices.map(({ name, place, id, unitField }) => {
                const change = base?.[unitField] === cost[unitField] && formatPriceChange(base[id], cost[id])
                return (
                  <td key={name} style={{ width: display[place].minWidth }}>
                    <PriceCell price={cost[id]} currency={cost[unitField]} column={display[place]} display={display} />
                    {change && <small>{change === 'no change' ? equal : change}</small>}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
