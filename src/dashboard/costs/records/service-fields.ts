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

/** A Spool sends its whole catalog at once: the first rows need all of it. Other services may send fewer than asked for. */
export function recordsPerRequest(connection: Connection): number {
  return usesSession(connection) ? 4000 : 1000
}
