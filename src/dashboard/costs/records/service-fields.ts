import { type CostField, cacheCostFields, costFields } from '../../../contract/cost-fields'
import { type Connection, usesSession } from '../../client/connection'

/** Whether the service is a Spool, which has the prices of cached tokens: only Spools have sessions. */
export function hasCachePrices(connection: Connection): boolean {
  return usesSession(connection)
}

/** All fields that the service knows. */
export function listCostFields(connection: Connection): CostField[] {
  return hasCachePrices(connection) ? [...costFields, ...cacheCostFields] : [...costFields]
}
