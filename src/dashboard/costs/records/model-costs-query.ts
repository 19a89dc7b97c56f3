import { ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import type { Connection } from '../../client/connection'
import { pagedQuery } from '../../client/endpoint-query'
import { maxRowsRead } from '../../client/parse-rows'
import { listCostFields, recordsPerRequest } from './service-fields'

/** All records of a model, and those of other models too where the service does not know the query. */
export function modelCostsQuery(model: string, connection: Connection) {
  const query = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: model }] } }
  return pagedQuery(
    receiveCosts,
    (page, isSimple) => ({
      project_id: connection.projectId,
      fields: listCostFields(connection),
      ...(!isSimple && { query }),
      ...page,
    }),
    connection,
    { pageSize: recordsPerRequest(connection), maxRows: maxRowsRead, row: ReceivedCost, toValues: ({ results }) => results },
  )
}
