const directionWords = { asc: 'ASC', desc: 'DESC' } as const

/**
 * ORDER BY over the caller's keys, nulls last in both directions, and then `ties`, which make the order total. A field
 * that comes again orders nothing more and is left out, so the text stays short however long the list is.
 */
export function orderBy<Field extends string>(
  keys: readonly { field: Field; direction: keyof typeof directionWords }[],
  columnByField: Readonly<Record<Field, string>>,
  ties: string,
): string {
  const directionByField = new Map<Field, keyof typeof directionWords>()
  for (const { field, direction } of keys) {
    if (!directionByField.has(field)) directionByField.set(field, direction)
  }
  const terms = [...directionByField].map(
    ([field, direction]) => `${columnByField[field]} ${directionWords[direction]} NULLS LAST`,
  )
  return `ORDER BY ${[...terms, ties].join(', ')}`
}
