import type { CallSortKey } from '../../contract/call-queries'
import { orderBy } from '../store/order-by'
import { callFieldSql } from './call-field-sql'

type Direction = CallSortKey['direction']

export type CallOrder = {
  sql: string
  params: Record<string, string>
  /** Set where the order is that of the starts alone, which `call_starts` has ready. */
  byStart: Direction | undefined
}

const oldestFirst = [{ field: 'started_at', direction: 'asc' }] as const

/**
 * ORDER BY over the caller's keys, then the id, in the direction of the last key, so that one direction is the other
 * reversed. Values of JSON are ordered numbers first, then the rest as text; nothing at all is last either way.
 */
export function callOrder(sortBy: readonly CallSortKey[] | undefined): CallOrder {
  const keys = sortBy?.length ? sortBy : oldestFirst
  const params: Record<string, string> = {}
  const bind = (_: 'String', value: string) => {
    const name = `s${Object.keys(params).length + 1}`
    params[name] = value
    return `{${name}:String}`
  }
  const terms = keys.flatMap(({ field, direction }) => {
    const { type, sql } = callFieldSql(field, bind)
    const columns = type === 'json' ? [`toFloat64OrNull(${sql})`, `nullIf(nullIf(${sql}, ''), 'null')`] : [sql]
    return columns.map((column) => ({ field: column, direction }))
  })
  const columnByTerm = Object.fromEntries(terms.map(({ field }) => [field, field]))
  const last = keys.at(-1)?.direction ?? 'asc'
  const [first] = keys
  return {
    sql: orderBy(terms, columnByTerm, `id ${last === 'asc' ? 'ASC' : 'DESC'}`),
    params,
    byStart: keys.length === 1 && first?.field === 'started_at' ? first.direction : undefined,
  }
}
