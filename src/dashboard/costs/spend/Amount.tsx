import type { Decimal } from '../../../contract/decimal'
import { formatAmount, formatCurrency } from '../../format/amount'
import { formatVisibleText } from '../../format/visible-text'
import { alignAtPoint } from '../../format/align-at-point'

type Props = {
  amount: Decimal
  currency: string
  isCurrencyShown: boolean
  /** Characters from the point on in this column, so that the points are aligned. */
  tailLength?: number
  /** Pixels of the slot for the currencies of this column. */
  currencyWidth?: number
  /** Whether calls without a price are missing in it. */
  isLowerBound?: boolean
}

/** A sum of money; nothing is `free`. Its tooltip has all digits. */
export function Amount({ amount, currency, isCurrencyShown, tailLength, currencyWidth, isLowerBound = false }: Props) {
  const { text, exact, pointIndex } = formatAmount(amount)
  const title = `${exact} ${formatVisibleText(currency)}${isLowerBound ? '. Calls without a price are not included' : ''}`
  if (amount.digits === 0n && !isLowerBound) return <span title={title}>free</span>
  return (
    <span title={title}>
      {isLowerBound && (
        <>
          <span className="sr-only">at least </span>
          <span aria-hidden="true" className="text-faint">
            ≥{' '}
          </span>
        </>
      )}
      {tailLength === undefined ? (
        text
      ) : (
        <span className="price-digits" style={alignAtPoint({ text, pointIndex }, tailLength)}>
          {text}
        </span>
      )}
      {isCurrencyShown && (
        <bdi
          className={currencyWidth === undefined ? 'text-xs text-quiet' : 'price-currency'}
          style={{ width: currencyWidth }}
        >{` ${formatCurrency(currency)}`}</bdi>
      )}
    </span>
  )
}
