import { type ReceivedCost, receiveCosts } from '../../contract/received-costs'
import type { Connection } from '../client/connection'
import type { RequestPreview } from '../client/request-preview'
import { startedQuery } from './cost-query'
import { type CostView, toEnd } from './cost-view'
import { matchesFilters } from './in-force-rows'
import { listCostFields, recordsPerRequest } from './records/service-fields'

type View = { view: CostView; asOf: string; connection: Connection; records: readonly ReceivedCost[] }

/**
 * The requests whose records make the view "in force", with its search, filters and sorting: as many as its records need. The
 * page itself reads the records without filters, so that another search needs no request.
 */
export function inForceRequests({ view, asOf, connection, records }: View): RequestPreview[] {
  const fields = listCostFields(connection)
  const limit = recordsPerRequest(connection)
  const sort_by = view.sort.flatMap(({ id, direction }) => {
    const field = fields.find((name) => name === id)
    return field ? [{ field, direction }] : []
  })
  const input = {
    project_id: connection.projectId,
    fields,
    query: startedQuery(toEnd(view.asof || asOf.slice(0, 10)), view),
    ...(sort_by.length > 0 && { sort_by }),
    limit,
  }
  const count = 1 + Math.floor(records.filter((record) => matchesFilters(record, view)).length / limit)
  return Array.from({ length: count }, (_, index) => ({
    endpoint: receiveCosts,
    input: { ...input, offset: index * limit },
    ...(index === 0 && { note: `Of each provider and model, the page shows the record in force at ${asOf}.` }),
  }))
}
