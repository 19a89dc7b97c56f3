import { formatPrice } from '../format/money'
import type { CostDisplay } from './cost-columns'

type Props = {
  price: number | null | undefined
  currency: string | null | undefined
  /** Most digits after the point in this column. */
  fraction: number
  context: CostDisplay
}

/** A price with its point below the others' points; all digits in the title. */
export function PriceCell({ price, currency, fraction, context }: Props) {
  const shown = formatPrice(price, context.unit)
  if (shown.kind !== 'amount') {
    return <span className={shown.kind === 'free' ? 'text-good' : 'text-faint'}>{shown.text}</span>
  }
  const aligned = { paddingRight: `${Math.max(0, fraction - shown.fractionDigits)}ch` }
  return (
    <span title={`${shown.exact} ${currency ?? ''} · ${price} per token`}>
      <span style={aligned}>{shown.text}</span>
      {context.currency === undefined && <span className="text-xs text-quiet">{` ${currency ?? '?'}`}</span>}
    </span>
  )
}
