import type { Connection } from '../../client/connection'
import { costRows } from './cost-rows'
import { listCostFields } from './service-fields'

/** The one record with this id, among others where the service does not know the query. */
export function costByIdQuery(id: string, connection: Connection) {
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } }
  return costRows.toQuery({ project_id: connection.projectId, fields: listCostFields(connection), query, limit: 1 }, connection)
}
