import type { ReceivedCost } from '../../../contract/received-costs'
import { toPriceText } from './price-form'

/** `2.5 prompt, 10 completion (USD per 1M)` */
export function describePrices(cost: ReceivedCost): string {
  const price = (perToken: number | null) => (perToken === null ? 'not set' : toPriceText(perToken, '1M'))
  return `${price(cost.prompt_token_cost)} prompt, ${price(cost.completion_token_cost)} completion (${cost.prompt_token_cost_unit ?? '?'} per 1M)`
}
