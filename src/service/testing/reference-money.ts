import { referenceOwnUsage, type PlainUsage } from '../usage/testing/reference-own-usage'
import type { TracedCall } from '../usage/own-usage'

// The reference model of money, in plain TypeScript: whole nanounits (1e-9) as bigint, so nothing is rounded.

/** A price of a model, in nanounits (1e-9) of its currency per token; null where it has none. */
export type ReferencePrice = {
  model: string
  isOwn: boolean
  effective: string
  unit: string
  prompt: bigint | null
  completion: bigint | null
  read: bigint | null
  write: bigint | null
}
export type ReferenceAmounts = Record<'prompt' | 'completion' | 'read' | 'write', bigint | null>

/** The price that applies at an instant: in effect before not yet in effect, own before catalog, then the newest. */
export function findReferencePrice(prices: readonly ReferencePrice[], model: string, at: string): ReferencePrice | undefined {
  const rank = (price: ReferencePrice) => `${price.effective <= at ? 1 : 0}${price.isOwn ? 1 : 0}${price.effective}`
  return prices.filter((price) => price.model === model).toSorted((left, right) => (rank(left) < rank(right) ? 1 : -1))[0]
}

/** Tokens that have no price of their own are charged as prompt. A project's price always has one for cached tokens: the prompt's. */
export function referenceAmounts(usage: PlainUsage, price: ReferencePrice): ReferenceAmounts {
  const [read, write] = price.isOwn ? [price.read ?? price.prompt, price.write ?? price.prompt] : [price.read, price.write]
  const apart = (read === null ? 0 : usage.cache_read_input_tokens) + (write === null ? 0 : usage.cache_creation_input_tokens)
  const times = (tokens: number, each: bigint | null) => (each === null ? null : BigInt(tokens) * each)
  return {
    prompt: times(usage.prompt_tokens - apart, price.prompt),
    completion: times(usage.completion_tokens, price.completion),
    read: times(usage.cache_read_input_tokens, read),
    write: times(usage.cache_creation_input_tokens, write),
  }
}

/** Nanounits as the double nearest to them. */
export function toUnits(nano: bigint): number {
  return Number(`${nano}e-9`)
}

export type ReferenceCall = TracedCall & { trace_id: string; started_at: string }

/** Prompt tokens, completion tokens, cached read, cached written, requests, and money by currency, of a thread. */
export function referenceThreadUsage(calls: readonly ReferenceCall[], prices: readonly ReferencePrice[], threadId: string) {
  const tokens = {
    requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  }
  const money = new Map<string, bigint>()
  for (const traceId of new Set(calls.map(({ trace_id: id }) => id))) {
    const trace = calls.filter(({ trace_id: id }) => id === traceId)
    for (const share of referenceOwnUsage(trace)) {
      if (share.threadId !== threadId) continue
      for (const kind of Object.keys(tokens) as (keyof typeof tokens)[]) tokens[kind] += share.usage[kind] // its own keys
      const startedAt = trace.find(({ id }) => id === share.id)?.started_at ?? ''
      const price = findReferencePrice(prices, share.model, startedAt)
      if (!price) continue
      for (const amount of Object.values(referenceAmounts(share.usage, price))) {
        if (amount !== null) money.set(price.unit, (money.get(price.unit) ?? 0n) + amount)
      }
    }
  }
  return { tokens, total_cost: Object.fromEntries([...money].map(([unit, nano]) => [unit, toUnits(nano)])) }
}
