import type { CostDisplay } from './cost-display'
import { PriceCell } from './PriceCell'

type Props = Parameters<typeof PriceCell>[0] & {
  /** Below the price: how it compares. */
  note: string | false | undefined
}

/** A price in a small table of the panel. */
export function PanelPrice({ note, ...price }: Props) {
  return (
    <td className="py-1.5 pr-4 pl-2 text-right">
      <PriceCell {...price} />
      {note && <span className="block text-xs text-quiet">{note}</span>}
    </td>
  )
}

/** The header of such a table, with the unit of its prices. */
export function PanelPriceHeads({ first, display }: { first: string; display: CostDisplay }) {
  return (
    <thead>
      <tr className="text-xs text-quiet">
        <th scope="col" className="py-1 pl-4 text-left font-normal">
          {first}
        </th>
        {['Prompt', 'Completion'].map((name) => (
          <th key={name} scope="col" className="py-1 pr-4 pl-2 text-right font-normal whitespace-nowrap">
            {`${name}, ${display.currency ? `${display.currency} ` : ''}per 1M`}
          </th>
        ))}
      </tr>
    </thead>
  )
}
