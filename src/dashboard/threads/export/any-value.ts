/** A JSON value as an `AnyValue` of OTLP in its JSON encoding: 64-bit integers are text. */
export function toAnyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: toKeyValues(value) } }
  return {}
}

export function toKeyValues(object: object): { key: string; value: object }[] {
  return Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : { key, value: toAnyValue(value) }))
}
