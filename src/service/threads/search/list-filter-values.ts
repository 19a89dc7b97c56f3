import * as z from 'zod/mini'
import { maxFilterSuggestions, type suggestFilterValues } from '../../../contract/filter-values'
import { sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

type Request = z.output<typeof suggestFilterValues.request>

const ValueRow = z.object({ value: z.string() })

/** What a filter can be completed to. Reads a table of different values, so it takes as long with ten calls as with ten million. */
export async function listFilterValues(
  store: Store,
  { project_id: projectId, field, text = '', limit = maxFilterSuggestions }: Request,
  options: QueryOptions,
): Promise<string[]> {
  const rows = await store.query(
    sql`SELECT value FROM filter_values
WHERE project_id = ${projectId} AND field = ${field} AND positionCaseInsensitiveUTF8(value, ${text}) > 0
GROUP BY value
ORDER BY positionCaseInsensitiveUTF8(value, ${text}) = 1 DESC, value
LIMIT ${uint64(Math.min(limit, maxFilterSuggestions))}`,
    ValueRow,
    options,
  )
  return rows.map(({ value }) => value)
}
