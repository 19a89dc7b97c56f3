/**
 * An exact decimal number: `digits` times ten to the power of `-scale`. Money is added and multiplied in these, in the
 * service and the browser. A module of its own, because a decimal library would add 3 kB to the browser's first script.
 */
export type Decimal = { digits: bigint; scale: number }

export const zero: Decimal = { digits: 0n, scale: 0 }

/**
 * The decimal that JSON carried. `String(number)` is the shortest text that reads back as the same number, which is what
 * the sender wrote unless they wrote more than 17 digits. No arithmetic happens in binary. Throws where the number is not
 * finite.
 */
export function toDecimal(value: number): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!match) throw new RangeError(`${value} is not a finite number`)
  const [, sign, whole = '0', fraction = '', exponent = '0'] = match
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length - Number(exponent) }
}

/** The decimal that a text writes without an exponent: '12.50'. Throws where it is none. */
export function parsePlainDecimal(text: string): Decimal {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`${text} is not a decimal number`)
  const [, whole = '', fraction = ''] = match
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** The nearest double. */
export function toNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e${-scale}`)
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { digits: atScale(left, scale) + atScale(right, scale), scale }
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { ...right, digits: -right.digits })
}

/** Below 0 where the left one is smaller, above 0 where it is larger. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const { digits } = subtractDecimals(left, right)
  return digits === 0n ? 0 : digits < 0n ? -1 : 1
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale }
}

/** The quotient, cut to at least `maxQuotientDigits` significant digits. Throws where `right` is 0. */
export function divideDecimals(left: Decimal, right: Decimal): Decimal {
  const places = String(right.digits).length + maxQuotientDigits
  return { digits: (left.digits * 10n ** BigInt(places)) / right.digits, scale: left.scale - right.scale + places }
}

/** The decimal times ten to the power of `places`. */
export function shiftDecimal({ digits, scale }: Decimal, places: number): Decimal {
  return { digits, scale: scale - places }
}

/** Every digit written out, without an exponent and without unnecessary zeros at the end. */
export function formatPlainDecimal(decimal: Decimal): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  const shortFraction = fraction.replace(/0+$/, '')
  return `${sign}${whole}${shortFraction && `.${shortFraction}`}`
}

/** Rounded to at most `places` digits after the point; halves are rounded away from zero. */
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

/** Rounded to at most `count` significant digits. */
export function roundToSignificantDigits(decimal: Decimal, count: number): Decimal {
  const { length } = String(decimal.digits).replace('-', '')
  return roundDecimal(decimal, decimal.scale - length + count)
}

/** The digits before and after the point, and the sign apart. */
export function splitDecimal({ digits, scale }: Decimal): { sign: '' | '-'; whole: string; fraction: string } {
  const sign = digits < 0n ? '-' : ''
  const magnitude = String(digits < 0n ? -digits : digits)
  if (scale <= 0) return { sign, whole: digits === 0n ? '0' : magnitude + '0'.repeat(-scale), fraction: '' }
  const padded = magnitude.padStart(scale + 1, '0')
  return { sign, whole: padded.slice(0, -scale), fraction: padded.slice(-scale) }
}

// More than a double holds.
const maxQuotientDigits = 18

function atScale({ digits, scale }: Decimal, target: number): bigint {
  return digits * 10n ** BigInt(target - scale)
}
