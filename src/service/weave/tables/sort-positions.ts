import type { RowSortKey } from '../../../contract/tables'
import { maxResponseRows } from '../../http/response-size'
import { limitOffset } from '../../store/limit-offset'
import { joinSql, type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { RowPosition, type RowRange } from './table-rows'

/** The positions of a range of the sorted table: numbers first, then text, null and missing values last. */
export async function readSortedPositions(
  store: Store,
  { projectId, digest, rowDigests = [], limit, offset }: RowRange,
  keys: readonly RowSortKey[],
  options: QueryOptions = {},
): Promise<RowPosition[]> {
  const statement = sql`SELECT position, row_digest
FROM (
  SELECT position, row_digest FROM table_positions FINAL
  WHERE project_id = ${projectId} AND table_digest = ${digest}
    ${rowDigests.length > 0 ? sql`AND row_digest IN ${rowDigests}` : sql``}
) AS positions
INNER JOIN (
  SELECT digest, any(val) AS any_val FROM table_rows
  WHERE project_id = ${projectId}
    AND digest IN (SELECT row_digest FROM table_positions
      WHERE project_id = ${projectId} AND table_digest = ${digest})
  GROUP BY digest
) AS contents ON positions.row_digest = contents.digest
ORDER BY ${joinSql([...keys.map(orderByKey), sql`position ASC`], ', ')}
${limitOffset({ limit: Math.min(limit ?? Infinity, maxResponseRows + 1), offset })}`
  return store.query(statement, RowPosition, { ...options, lane: 'scan' })
}

const directions = { asc: sql`ASC`, desc: sql`DESC` }

function orderByKey({ field, direction }: RowSortKey): Sql {
  const keys = field.split('.').map((key) => sql`${key}`)
  const json = sql`JSONExtractRaw(any_val, ${joinSql(keys, ', ')})`
  const number = sql`if(startsWith(${json}, '"') OR ${json} IN ('', 'null'), NULL, toFloat64OrNull(${json}))`
  const text = sql`nullIf(nullIf(${json}, ''), 'null')`
  return sql`${number} ${directions[direction]} NULLS LAST, ${text} ${directions[direction]} NULLS LAST`
}
