import type { NewCost } from '../../../contract/new-cost'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findReferencePrice, findUnitError, isAbovePlausible, priceFields } from '../records/likely-unit-error'

/** What is likely wrong with a price, one sentence each: asked before it is sent. `others` are the model's other records. */
export function findPriceQuestions(cost: NewCost, others: readonly ReceivedCost[]): string[] {
  const questions = priceFields.flatMap(({ field, label }) => {
    const price = cost[field]
    const currency = cost.prompt_token_cost_unit ?? 'USD'
    if (price === undefined) return []
    const reference = findReferencePrice(others, field, currency)
    const error = reference === undefined ? 0 : findUnitError(price, reference)
    if (error !== 0) return [`${label}: about ${formatFactor(error)} this model’s price elsewhere. Is the unit right?`]
    return isAbovePlausible(price, currency)
      ? [`${label}: more than 10,000 ${currency} for a million tokens. Is the unit right?`]
      : []
  })
  const { prompt_token_cost: prompt, completion_token_cost: completion } = cost
  const isInverted = completion > 0 && completion < prompt
  return isInverted ? [...questions, 'The completion costs less than the prompt. Are the two in the right fields?'] : questions
}

/** `1,000 times`, `a 1,000th of` */
export function formatFactor(power: number): string {
  const size = (10 ** Math.abs(power)).toLocaleString('en-US')
  return power > 0 ? `${size} times` : `a ${size}th of`
}
