import { type CostField, costFields } from '../../contract/cost-fields'
import { ReceivedCost, receiveCosts } from '../../contract/received-costs'
import { type Connection, usesSession } from '../client/connection'
import { pagedQuery } from '../client/endpoint-query'
import { maxRowsRead } from '../client/parse-rows'
import { startedQuery } from './cost-query'
import { type CostView, toEnd } from './cost-view'

/** With more records than this, grouping in the browser takes too long and too much memory. */
export const maxRecords = maxRowsRead

export const recordsPerRequest = 1000

/** Whether the service is a Spool, which has the prices of cached tokens: only Spools have sessions. */
export function hasCachePrices(connection: Connection): boolean {
  return usesSession(connection)
}

/** The fields that the service knows. */
export function listCostFields(connection: Connection): CostField[] {
  return hasCachePrices(connection) ? [...costFields, 'cache_read_input_token_cost'] : [...costFields]
}

/**
 * Reads every record that has started by the view's moment: the wire cannot group, so the browser finds those in force.
 * Without a day the limit is the end of today, so that the query key stays the same all day.
 */
export function startedCostsQuery(view: Pick<CostView, 'asof'>, connection: Connection, filters?: CostView) {
  const query = startedQuery(toEnd(view.asof || new Date().toISOString().slice(0, 10)), filters)
  return pagedQuery(
    receiveCosts,
    // A service of an older grammar refuses the query. The browser selects what is in force anyway.
    (page, isSimple) => ({
      project_id: connection.projectId,
      fields: listCostFields(connection),
      ...(query && !isSimple && { query }),
      ...page,
    }),
    connection,
    { pageSize: recordsPerRequest, pagesAtOnce: 2, maxRows: maxRecords, row: ReceivedCost, toValues: ({ results }) => results },
  )
}
