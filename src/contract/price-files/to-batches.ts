import type { NewCost } from '../new-cost'
import type { ImportedPrice } from './imported-price'

/** The costs of each request, by model: a request can name a model once, so its second price goes into a later request. */
export function toBatches(prices: readonly ImportedPrice[], maxPerRequest: number): Map<string, NewCost>[] {
  const batches: Map<string, NewCost>[] = []
  for (const { llmId, cost } of prices) {
    const batch = batches.find((each) => each.size < maxPerRequest && !each.has(llmId))
    if (batch) batch.set(llmId, cost)
    else batches.push(new Map([[llmId, cost]]))
  }
  return batches
}
