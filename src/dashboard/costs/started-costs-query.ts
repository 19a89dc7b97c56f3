import { costFields } from '../../contract/cost-fields'
import { ReceivedCost, receiveCosts } from '../../contract/received-costs'
import type { Connection } from '../client/connection'
import { pagedQuery } from '../client/endpoint-query'
import { startedQuery } from './cost-query'
import { type CostView, endOfDay } from './cost-view'

/** With more records than this, grouping in the browser takes too long and too much memory. */
export const maxRecords = 20_000

/**
 * Reads every record that has started by the view's day: the wire cannot group, so the browser finds those in force.
 * Without a day the limit is the end of today, so that the query key stays the same all day.
 */
export function startedCostsQuery(view: Pick<CostView, 'asof'>, connection: Connection, filters?: CostView) {
  const query = startedQuery(endOfDay(view.asof || new Date().toISOString().slice(0, 10)), filters)
  return pagedQuery(
    receiveCosts,
    (page) => ({ project_id: connection.projectId, fields: [...costFields], query, ...page }),
    connection,
    { pageSize: 1000, maxRows: maxRecords, row: ReceivedCost, toValues: ({ results }) => results },
  )
}
