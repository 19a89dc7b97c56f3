import { ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import { listedRows } from '../../client/row-source'

/** The records of `/cost/query`. */
export const costRows = listedRows(receiveCosts, ReceivedCost, ({ results }) => results)
