import { formatPrice } from '../format/money'
import type { CostDisplay } from './cost-display'

type Props = {
  price: number | null | undefined
  currency: string | null | undefined
  /** The most digits after the decimal point in this column. */
  maxFractionDigits: number
  display: CostDisplay
}

/** A price, aligned at the decimal point; the tooltip has all digits. */
export function PriceCell({ price, currency, maxFractionDigits, display }: Props) {
  const shown = formatPrice(price, display.unit)
  if (shown.kind !== 'amount') {
    return <span className={shown.kind === 'free' ? 'text-good' : 'text-faint'}>{shown.text}</span>
  }
  const paddingRight = `${Math.max(0, maxFractionDigits - shown.fractionDigits)}ch`
  return (
    <span title={`${shown.exact} ${currency ?? ''} · ${price} per token`}>
      <span style={{ paddingRight }}>{shown.text}</span>
      {display.currency === undefined && <span className="text-xs text-quiet">{` ${currency ?? '?'}`}</span>}
    </span>
  )
}
