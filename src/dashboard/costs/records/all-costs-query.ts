import { ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import type { Connection } from '../../client/connection'
import { pagedQuery } from '../../client/endpoint-query'
import { maxRowsRead } from '../../client/parse-rows'
import { listCostFields, recordsPerRequest } from './service-fields'

/** Every record of the project and the catalog, also those that start later. */
export function allCostsQuery(connection: Connection) {
  return pagedQuery(
    receiveCosts,
    // Ids grow, so records that are added meanwhile come last and shift no page.
    (page) => ({
      project_id: connection.projectId,
      fields: listCostFields(connection),
      sort_by: [{ field: 'id' as const, direction: 'asc' as const }],
      ...page,
    }),
    connection,
    { pageSize: recordsPerRequest(connection), maxRows: maxRowsRead, row: ReceivedCost, toValues: ({ results }) => results },
  )
}
