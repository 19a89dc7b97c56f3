/**
 * Microseconds since 1970 of an instant in the wire's form. A double holds them exactly until the year 2255.
 *
 * @example toMicroseconds('1970-01-01T00:00:01.000002Z') // 1000002
 */
export function toMicroseconds(instant: string): number {
  // Date.parse() drops the digits after the milliseconds.
  const [seconds = '', fraction = ''] = instant.slice(0, -1).split('.')
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
