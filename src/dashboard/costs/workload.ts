import { addDecimals, type Decimal, multiplyDecimals, toDecimal, zero } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import { formatCount } from '../format/count'

/**
 * Tokens that the models' prices are compared by: of one call, or of all calls of a time. Cached tokens are prompt tokens too,
 * as on the wire.
 */
export type Workload = { prompt: number; completion: number; cacheRead: number; cacheWrite: number }

/**
 * Reads what the URL says: prompt tokens, completion tokens and, where any, prompt tokens from a cache.
 *
 * @example parseWorkload('1000,300') // { prompt: 1000, completion: 300, cacheRead: 0, cacheWrite: 0 }
 */
export function parseWorkload(text: string): Workload | undefined {
  if (!isWorkload(text)) return undefined
  const [prompt = 0, completion = 0, cacheRead = 0] = text.split(',').map(Number)
  return cacheRead > prompt ? undefined : { prompt, completion, cacheRead, cacheWrite: 0 }
}

export function isWorkload(text: string): boolean {
  return /^\d{1,12}(?:,\d{1,12}){1,2}$/.test(text)
}

/** `1,000 + 300`: prompt and completion tokens. */
export function formatWorkload({ prompt, completion }: Workload): string {
  return `${formatCount(String(prompt))} + ${formatCount(String(completion))}`
}

/**
 * What the tokens cost at the prices of a record, in its currency: `(prompt - read - write) * p + read * r + write * w +
 * completion * c`. Cached tokens without a price of their own cost as much as the prompt, as in the service. Undefined where a
 * price that is needed is not known, or the two currencies differ.
 */
export function priceWorkload(cost: ReceivedCost, { prompt, completion, cacheRead, cacheWrite }: Workload): Decimal | undefined {
  if (cost.prompt_token_cost_unit !== cost.completion_token_cost_unit) return undefined
  const { prompt_token_cost: promptPrice, completion_token_cost: completionPrice } = cost
  const parts: [number, number | null | undefined][] = [
    [Math.max(0, prompt - cacheRead - cacheWrite), promptPrice],
    [cacheRead, cost.cache_read_input_token_cost ?? promptPrice],
    [cacheWrite, cost.cache_creation_input_token_cost ?? promptPrice],
    [completion, completionPrice],
  ]
  let sum = zero
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue
    if (price === null || price === undefined) return undefined
    sum = addDecimals(sum, multiplyDecimals(toDecimal(tokens), toDecimal(price)))
  }
  return sum
}
