import * as z from 'zod'
import type { RowSortKey } from '../../../contract/tables'
import { maxResponseRows } from '../../http/response-size'
import type { QueryOptions, Store } from '../../store/store'
import type { PlaceRow, RowRange } from './table-rows'

const SortedPlace = z.object({ position: z.number(), row_digest: z.string() })

/** Where the rows of a range stand once the table is sorted. The keys of a path enter as parameters. */
export async function sortPlaces(
  store: Store,
  { projectId, digest, rowDigests = [], limit, offset = 0 }: RowRange,
  keys: readonly RowSortKey[],
  options: QueryOptions = {},
): Promise<PlaceRow[]> {
  const paths: Record<string, string> = {}
  const terms = keys.flatMap(({ field, direction }, index) => {
    const names = field.split('.').map((part, depth) => {
      const name = `key_${index}_${depth}`
      paths[name] = part
      return `{${name}:String}`
    })
    const word = { asc: 'ASC', desc: 'DESC' }[direction]
    const json = `JSONExtractRaw(any_val, ${names.join(', ')})`
    const isText = `if(startsWith(${json}, '"') OR ${json} IN ('', 'null'), NULL, toFloat64OrNull(${json}))`
    return [`${isText} ${word} NULLS LAST`, `nullIf(nullIf(${json}, ''), 'null') ${word} NULLS LAST`]
  })
  const sql = `SELECT position, row_digest
FROM (
  SELECT position, row_digest FROM table_positions FINAL
  WHERE project_id = {project_id:String} AND table_digest = {digest:String}
    AND (empty({row_digests:Array(String)}) OR row_digest IN {row_digests:Array(String)})
) AS places
INNER JOIN (
  SELECT digest, any(val) AS any_val FROM table_rows
  WHERE project_id = {project_id:String}
    AND digest IN (SELECT row_digest FROM table_positions
      WHERE project_id = {project_id:String} AND table_digest = {digest:String})
  GROUP BY digest
) AS contents ON places.row_digest = contents.digest
ORDER BY ${[...terms, 'position ASC'].join(', ')}
LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const params = {
    ...paths,
    project_id: projectId,
    digest,
    row_digests: rowDigests,
    limit: Math.min(limit ?? Infinity, maxResponseRows + 1),
    offset,
  }
  return store.query(sql, params, SortedPlace, options)
}
