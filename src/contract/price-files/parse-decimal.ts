const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/

/**
 * Parses decimal text times 10 to the power of `exponent`. The text gets the exponent, because a division would round:
 * '0.15' and -6 give exactly 1.5e-7. Undefined for text that is not a decimal number.
 */
export function parseDecimal(text: string, exponent = 0): number | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? []
  if (whole === '' && fraction === '') return undefined
  return Number(`${sign}${whole || '0'}.${fraction || '0'}e${Number(power) + exponent}`)
}
