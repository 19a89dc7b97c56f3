import { ReceivedCost, receiveCosts } from '../../contract/received-costs'
import type { Connection } from '../client/connection'
import { pagedQuery } from '../client/endpoint-query'
import { maxRowsRead } from '../client/parse-rows'
import { startedQuery } from './cost-query'
import { type CostView, toEnd } from './cost-view'
import { listCostFields, recordsPerRequest } from './records/service-fields'

/** With more records than this, grouping in the browser takes too long and too much memory. */
export const maxRecords = maxRowsRead

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
    {
      pageSize: recordsPerRequest(connection),
      maxRows: maxRecords,
      row: ReceivedCost,
      toValues: ({ results }) => results,
    },
  )
}
