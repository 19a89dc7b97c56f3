import { identifier, joinSql, type Sql, sql } from './sql'

/**
 * A condition that the columns together have the values of one of these keys. Unlike one IN for each column, it combines
 * no value of one key with one of another. The engine looks the keys up by the primary key where the columns are in it.
 *
 * @example keysIn(['project_id', 'id'], [{ project_id: 'acme/support', id: 'a' }])
 */
export function keysIn<Column extends string>(
  columns: readonly Column[],
  keys: readonly Readonly<Record<Column, string>>[],
): Sql {
  const names = columns.map((column) => identifier(column))
  const lists = columns.map((column) => sql`${keys.map((key) => key[column])}`)
  return sql`(${joinSql(names, ', ')}) IN arrayZip(${joinSql(lists, ', ')})`
}
