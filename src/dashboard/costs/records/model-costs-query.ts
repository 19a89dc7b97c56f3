import type { Query } from '../../../contract/expression'
import { ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import type { Connection } from '../../client/connection'
import { pagedQuery } from '../../client/endpoint-query'
import { maxRowsRead } from '../../client/parse-rows'
import { listCostFields, recordsPerRequest } from './service-fields'

/** All records of these models, and those of other models too where the service does not know the query. */
export function modelCostsQuery(models: readonly string[], connection: Connection) {
  return pagedQuery(
    receiveCosts,
    (page, isSimple) => ({
      project_id: connection.projectId,
      fields: listCostFields(connection),
      ...(!isSimple && { query: queryByModels(models) }),
      ...page,
    }),
    connection,
    { pageSize: recordsPerRequest(connection), maxRows: maxRowsRead, row: ReceivedCost, toValues: ({ results }) => results },
  )
}

/** All records of these models. */
export function queryByModels(models: readonly string[]): Query {
  return { $expr: { $in: [{ $getField: 'llm_id' }, models.map((model) => ({ $literal: model }))] } }
}
