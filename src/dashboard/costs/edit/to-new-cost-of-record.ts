import type { NewCost } from '../../../contract/new-cost'
import type { ReceivedCost } from '../../../contract/received-costs'

/** The request that records a removed record again. */
export function toNewCostOfRecord(cost: ReceivedCost): NewCost {
  const set = <Key extends keyof NewCost & keyof ReceivedCost>(key: Key) => (cost[key] === null ? {} : { [key]: cost[key] })
  return {
    prompt_token_cost: cost.prompt_token_cost ?? 0,
    completion_token_cost: cost.completion_token_cost ?? 0,
    ...set('cache_read_input_token_cost'),
    ...set('cache_creation_input_token_cost'),
    ...set('prompt_token_cost_unit'),
    ...set('completion_token_cost_unit'),
    ...set('effective_date'),
    ...set('provider_id'),
  }
}
