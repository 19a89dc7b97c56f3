import { InvalidOtlpError } from './invalid-otlp-error'

/** The hex digits of an id. Throws an `InvalidOtlpError`. */
export function validateId(hex: string, name: string, digits: 16 | 32): string {
  if (hex.length === digits && /^[0-9a-f]+$/.test(hex) && !/^0+$/.test(hex)) return hex
  throw new InvalidOtlpError(`'${name}' must be ${digits / 2} bytes (in JSON ${digits} hex digits), not all zero.`)
}
