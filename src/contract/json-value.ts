/** An object as JSON has them: neither null nor a list. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The kind of a value in words, such as `a list` or `null`. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? 'a string' : `a ${typeof value}`
}

/** A value for an error message. Long text is shortened, lists and objects are only named. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? `'${truncate(value)}'` : typeof value === 'number' ? String(value) : describeType(value)
}

/** Text shortened to 60 characters. */
export function truncate(text: string): string {
  const points = Array.from(text.slice(0, 130))
  return points.length > 60 ? `${points.slice(0, 60).join('')}…` : text
}
