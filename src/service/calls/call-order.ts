import type { CallSortKey } from '../../contract/call-requests'
import type { Direction } from '../../contract/request'
import { orderBy } from '../store/order-by'
import { type Sql, sql } from '../store/sql'
import { callFieldSql, type ExpandedFields } from './call-field-sql'

export type CallOrder = {
  sql: Sql
  /** Set where the order is that of the starts alone, which `call_starts` is stored in. */
  startDirection: Direction | undefined
}

const oldestFirst = [{ field: 'started_at', direction: 'asc' }] as const

/**
 * ORDER BY the caller's keys, then the id in the direction of the last key, so that one direction is the reverse of the
 * other. Values of JSON are ordered numbers first, then the rest as text; calls without a value are last either way.
 */
export function callOrder(
  sortBy: readonly CallSortKey[] | undefined,
  projectId: string,
  expandedFields?: ExpandedFields,
): CallOrder {
  const keys = sortBy?.length ? sortBy : oldestFirst
  const toFieldSql = callFieldSql(projectId, expandedFields)
  const columnByTerm: Record<string, Sql> = {}
  const terms = keys.flatMap(({ field, direction }) => {
    const { type, sql: value } = toFieldSql(field)
    const columns = type === 'json' ? [sql`toFloat64OrNull(${value})`, sql`nullIf(nullIf(${value}, ''), 'null')`] : [value]
    return columns.map((column, index) => {
      const term = `${index} ${field}`
      columnByTerm[term] = column
      return { field: term, direction }
    })
  })
  const [first] = keys
  return {
    sql: orderBy(terms, columnByTerm, keys.at(-1)?.direction === 'desc' ? sql`id DESC` : sql`id ASC`),
    startDirection: keys.length === 1 && first?.field === 'started_at' ? first.direction : undefined,
  }
}
