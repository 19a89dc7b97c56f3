/** A number exactly as its shortest decimal text says: `digits` times ten to the power of `-scale`. */
export type Decimal = { digits: bigint; scale: number }

/**
 * Reads the digits JSON carried. `String(number)` is the shortest text that reads back as the same number, which is what
 * the sender wrote unless they wrote more than 17 digits; no arithmetic happens in binary.
 */
export function toDecimal(value: number): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!match) throw new RangeError(`${value} is not a finite number`)
  const [, sign, whole = '0', fraction = '', exponent = '0'] = match
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length - Number(exponent) }
}

/** The decimal times ten to the power of `places`. */
export function shiftDecimal({ digits, scale }: Decimal, places: number): Decimal {
  return { digits, scale: scale - places }
}

/** Every digit written out, without an exponent and without needless zeros at the end. */
export function formatPlainDecimal(decimal: Decimal): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  const shortFraction = fraction.replace(/0+$/, '')
  return `${sign}${whole}${shortFraction && `.${shortFraction}`}`
}

/** Rounded half up (away from zero) to at most `places` digits after the point. */
export function roundDecimal(decimal: Decimal, places: number): Decimal {
  const surplus = decimal.scale - places
  if (surplus <= 0) return decimal
  const unit = 10n ** BigInt(surplus)
  const half = unit / 2n
  const isNegative = decimal.digits < 0n
  const magnitude = isNegative ? -decimal.digits : decimal.digits
  const rounded = (magnitude + half) / unit
  return { digits: isNegative ? -rounded : rounded, scale: places }
}

/** The digits before and after the point, the sign apart. */
export function splitDecimal({ digits, scale }: Decimal): { sign: '' | '-'; whole: string; fraction: string } {
  const sign = digits < 0n ? '-' : ''
  const magnitude = String(digits < 0n ? -digits : digits)
  if (scale <= 0) return { sign, whole: digits === 0n ? '0' : magnitude + '0'.repeat(-scale), fraction: '' }
  const padded = magnitude.padStart(scale + 1, '0')
  return { sign, whole: padded.slice(0, -scale), fraction: padded.slice(-scale) }
}

/** `1234567` as `1,234,567`. */
export function formatCount(whole: string): string {
  return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
