/** What kind of value it is, in words: `a list`, `null`. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? 'a string' : `a ${typeof value}`
}

/** A value as an error message may show it: short, so that a large one does not come back whole. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? `'${truncate(value)}'` : typeof value === 'number' ? String(value) : describeType(value)
}

/** Text of at most 60 characters. */
export function truncate(text: string): string {
  const points = Array.from(text.slice(0, 130))
  return points.length > 60 ? `${points.slice(0, 60).join('')}…` : text
}
