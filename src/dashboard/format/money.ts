import { type Decimal, decimalOf, formatCount, partsOf, plainText, roundedTo, shifted } from './decimal'

export const priceUnits = ['token', '1K', '1M'] as const
/** For how many tokens a price is shown; the wire's are per single token. */
export type PriceUnit = (typeof priceUnits)[number]

const placesOf: Record<PriceUnit, number> = { token: 0, '1K': 3, '1M': 6 }

/**
 * A price as a cell shows it. `text` has up to six significant digits and at least two after the point, `exact` all of
 * them; `fractionDigits` lets a column align the points. Unset, free and tiny are three different things.
 */
export type ShownPrice =
  | { kind: 'unset'; text: 'not set'; exact: 'not set' }
  | { kind: 'free'; text: 'free'; exact: '0' }
  | { kind: 'amount'; text: string; exact: string; fractionDigits: number }

const significant = 6
// More zeros than this nobody counts; the price is then written as a power of ten.
const mostLeadingZeros = 11

export function formatPrice(perToken: number | null | undefined, unit: PriceUnit): ShownPrice {
  if (perToken === null || perToken === undefined) return { kind: 'unset', text: 'not set', exact: 'not set' }
  if (perToken === 0) return { kind: 'free', text: 'free', exact: '0' }
  const decimal = shifted(decimalOf(perToken), placesOf[unit])
  const { whole, fraction } = partsOf(decimal)
  const leadingZeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  if (leadingZeros > mostLeadingZeros)
    return { kind: 'amount', text: powerText(decimal), exact: plainText(decimal), fractionDigits: 0 }
  const places = whole === '0' ? leadingZeros + significant : Math.max(2, significant - whole.length)
  const rounded = partsOf(roundedTo(decimal, places))
  const shownFraction = rounded.fraction.replace(/0+$/, '').padEnd(2, '0')
  return {
    kind: 'amount',
    text: `${rounded.sign}${formatCount(rounded.whole)}.${shownFraction}`,
    exact: plainText(decimal),
    fractionDigits: shownFraction.length,
  }
}

/** `1.23457e-20`: up to six digits and the power of ten. */
function powerText(decimal: Decimal): string {
  const { digits, scale } = roundedTo(decimal, decimal.scale - String(decimal.digits).length + significant)
  const [first = '', ...rest] = String(digits)
  const more = rest.join('').replace(/0+$/, '')
  return `${first}${more && `.${more}`}e${String(digits).length - 1 - scale}`
}

/** Most digits after the point among the prices of a column: shorter ones are filled up by that much room. */
export function maxFractionDigits(prices: Iterable<number | null | undefined>, unit: PriceUnit): number {
  let widest = 0
  for (const price of prices) {
    const shown = formatPrice(price, unit)
    if (shown.kind === 'amount') widest = Math.max(widest, shown.fractionDigits)
  }
  return widest
}

/** Completion price over prompt price; undefined where it says nothing: unset, free prompt, different currencies. */
export function priceRatio(prompt: number | null | undefined, completion: number | null | undefined): number | undefined {
  if (prompt === null || prompt === undefined || completion === null || completion === undefined || prompt === 0) return undefined
  return completion / prompt
}

/** `4.00×`; three significant digits below 0.1, where two places would say nothing; none from a thousand on. */
export function formatRatio(ratio: number): string {
  if (ratio >= 1000) return `${formatCount(String(Math.round(ratio)))}×`
  return `${ratio !== 0 && ratio < 0.1 ? String(Number(ratio.toPrecision(3))) : grouped2(ratio)}×`
}

function grouped2(value: number): string {
  const [whole = '0', fraction = '00'] = value.toFixed(2).split('.')
  return `${formatCount(whole)}.${fraction}`
}
