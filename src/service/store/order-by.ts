import { identifier, joinSql, type Sql, sql } from './sql'

const directions = { asc: sql`ASC`, desc: sql`DESC` }

/**
 * ORDER BY the caller's keys, nulls last in both directions, then `tieBreaker`, which makes the order total. A field that
 * occurs again cannot change the order; it is left out, so that the text stays short however long the list is.
 *
 * @example
 * orderBy([{ field: 'age', direction: 'desc' }], { age: sql`age`, name: sql`lower(name)` }, sql`id ASC`)
 */
export function orderBy<Field extends string>(
  keys: readonly { field: Field; direction: keyof typeof directions }[],
  columnByField: Readonly<Record<Field, Sql>>,
  tieBreaker: Sql,
): Sql {
  const directionByField = new Map<Field, keyof typeof directions>()
  for (const { field, direction } of keys) {
    if (!directionByField.has(field)) directionByField.set(field, direction)
  }
  const terms = [...directionByField].map(
    ([field, direction]) => sql`${columnByField[field]} ${directions[direction]} NULLS LAST`,
  )
  return sql`ORDER BY ${joinSql([...terms, tieBreaker], ', ')}`
}

/** The lookup of `orderBy` for fields that are columns of the same name. */
export function columnsByName<Field extends string>(fields: readonly Field[]): Record<Field, Sql> {
  return Object.fromEntries(fields.map((field) => [field, identifier(field)])) as Record<Field, Sql> // the keys are the fields
}
