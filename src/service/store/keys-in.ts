import { identifier, joinSql, type Sql, sql } from './sql'

/**
 * A condition that the columns together have the values of one of these keys. Unlike one IN for each column, it combines
 * no value of one key with one of another. The engine looks the keys up by the primary key where the columns are in it.
 *
 * A column with the same value in all keys is compared once: to bind a list of a thousand times the same project takes as
 * long as all the ids.
 *
 * @example keysIn(['project_id', 'id'], [{ project_id: 'acme/support', id: 'a' }])
 */
export function keysIn<Column extends string>(
  columns: readonly Column[],
  keys: readonly Readonly<Record<Column, string>>[],
): Sql {
  const [first] = keys
  if (!first) return sql`0`
  const isSame = (column: Column) => keys.every((key) => key[column] === first[column])
  const varying = columns.filter((column) => !isSame(column))
  const equals = columns.filter(isSame).map((column) => sql`${identifier(column)} = ${first[column]}`)
  return joinSql(varying.length > 0 ? [...equals, isOneOf(varying, keys)] : equals, ' AND ')
}

function isOneOf<Column extends string>(columns: readonly Column[], keys: readonly Readonly<Record<Column, string>>[]): Sql {
  const [only, ...others] = columns
  // The calls of one trace name it once each.
  if (only && others.length === 0) return sql`${identifier(only)} IN ${[...new Set(keys.map((key) => key[only]))]}`
  const names = columns.map((column) => identifier(column))
  const lists = columns.map((column) => sql`${keys.map((key) => key[column])}`)
  return sql`(${joinSql(names, ', ')}) IN arrayZip(${joinSql(lists, ', ')})`
}
