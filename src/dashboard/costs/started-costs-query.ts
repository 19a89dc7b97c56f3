import { costFields } from '../../contract/cost-fields'
import { queryCosts } from '../../contract/costs'
import type { Connection } from '../client/connection'
import { pagedQuery } from '../client/endpoint-query'
import { startedQuery } from './cost-query'
import { type CostView, endOfDay } from './cost-view'

/** Beyond this the browser would hold too much to group, and a reader has asked for too much to read. */
export const maxRecords = 20_000

/**
 * Every record that has started by the view's day, as "in force" needs them: the wire cannot group. Today's bound is the
 * day's end, so that the request stays the same all day; what starts later today is told apart here.
 */
export function startedCostsQuery(view: Pick<CostView, 'asof'>, connection: Connection, narrowedBy?: CostView) {
  const query = startedQuery(endOfDay(view.asof || new Date().toISOString().slice(0, 10)), narrowedBy)
  return pagedQuery(
    queryCosts,
    (page) => ({ project_id: connection.projectId, fields: [...costFields], query, ...page }),
    connection,
    { pageSize: 1000, maxRows: maxRecords, toRows: ({ results }) => results },
  )
}
