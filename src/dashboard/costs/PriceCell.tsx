import { formatPrice } from '../format/money'
import { formatVisibleText } from '../format/visible-text'
import { alignAtPoint } from '../format/align-at-point'
import type { CostDisplay, PriceColumn } from './cost-display'

type Props = {
  price: number | null | undefined
  currency: string | null | undefined
  column: PriceColumn
  display: CostDisplay
}

/**
 * A price, aligned at its point, with the currency in a slot of its own where the column has several. A price with more
 * digits than fit shows all of them where the pointer is, and in the row that has the focus.
 */
export function PriceCell({ price, currency, column, display }: Props) {
  const shown = formatPrice(price, display.unit)
  const unit = formatVisibleText(currency ?? '?')
  const slot = display.currency === undefined && (
    <span className="price-currency" style={{ width: `${display.currencyWidth}px` }}>
      {shown.kind === 'amount' && unit}
    </span>
  )
  if (shown.kind !== 'amount') {
    return (
      <>
        <span className={shown.kind === 'free' ? 'text-good' : 'text-faint'}>{shown.text}</span>
        {slot}
      </>
    )
  }
  return (
    <span className="price" title={`${shown.exact} ${unit} · ${formatPrice(price, 'token').exact} per token`}>
      <span className="price-digits" style={alignAtPoint(shown, column.tailLength)}>
        {shown.text}
      </span>
      {slot}
      {shown.isRounded && <span className="price-exact">{shown.exact}</span>}
    </span>
  )
}
