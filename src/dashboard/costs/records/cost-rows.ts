import { ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import { listedRows } from '../../client/row-source'

/** The records of `/cost/query`. */
export const costRows = listedRows(receiveCosts, ReceivedCost, ({ results }) => results)

/** The id of a record, or of one without an id its content. */
export function getCostRowId(cost: ReceivedCost): string {
  return cost.id ?? JSON.stringify(cost)
}
