import { randomUUID } from 'node:crypto'

/**
 * A value as the JSON text that is stored, for the engine to read too: it reads nothing of a text with an integer beyond 64
 * bits, wherever that stands. Such numbers get an exponent.
 */
export function toStoredJson(value: unknown): string {
  const text = JSON.stringify(value)
  return mayHaveLongInteger.test(text) ? withExponents(value) : text
}

/** So many digits also occur in texts. */
const mayHaveLongInteger = /(?:^|[:,[])-?\d{19}/

/** In texts of clients there is nothing like it. */
const mark = randomUUID()
const markedNumber = new RegExp(`"${mark}([^"]+)"`, 'g')

function withExponents(value: unknown): string {
  const isLong = (item: unknown) => typeof item === 'number' && Math.abs(item) >= 2 ** 63
  const marked = JSON.stringify(value, (_, item) => (isLong(item) ? mark + item.toExponential() : item))
  return marked.replaceAll(markedNumber, '$1')
}
