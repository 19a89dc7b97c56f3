import * as z from 'zod/mini'
import { ReceivedNumber } from '../../../contract/received'

const Cost = z.object({
  prompt_tokens: ReceivedNumber,
  completion_tokens: ReceivedNumber,
  cache_read_input_tokens: ReceivedNumber,
  cache_creation_input_tokens: ReceivedNumber,
  prompt_tokens_total_cost: ReceivedNumber,
  completion_tokens_total_cost: ReceivedNumber,
  cache_read_input_tokens_total_cost: ReceivedNumber,
  cache_creation_input_tokens_total_cost: ReceivedNumber,
  requests_total_cost: ReceivedNumber,
  prompt_token_cost_unit: z.optional(z.string()),
})
const Summary = z.object({ usage: z.optional(z.record(z.string(), z.unknown())) })
const WeaveSummary = z.object({ weave: z.object({ costs: z.optional(z.record(z.string(), z.unknown())) }) })

/** `cost` is null where no price is known. */
export type UsageLine = { name: string; tokens: number | null; cost: number | null }
export type ModelUsage = { model: string; currency: string; lines: UsageLine[] }

/**
 * What a call reported that it used, by model and kind of token. Where prices are known the service has counted the tokens;
 * elsewhere they are shown under the client's own names. `sent` is the client's summary, `added` the one with what the service
 * adds: some services send both in one.
 */
export function readUsage(sent: unknown, added: unknown): ModelUsage[] {
  const usage = z.safeParse(Summary, sent).data?.usage ?? {}
  const costs = z.safeParse(WeaveSummary, added).data?.weave.costs ?? {}
  const models = [...new Set([...Object.keys(usage), ...Object.keys(costs)])]
  return models.map((model) => {
    const cost = z.safeParse(Cost, costs[model]).data
    const currency = cost?.prompt_token_cost_unit ?? 'USD'
    return { model, currency, lines: cost ? toPricedLines(cost) : toCounts(usage[model]) }
  })
}

function toPricedLines(cost: z.output<typeof Cost>): UsageLine[] {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written, prompt_tokens: prompt } = cost
  const lines: UsageLine[] = [
    { name: 'Prompt, with what is cached', tokens: prompt, cost: cost.prompt_tokens_total_cost },
    { name: 'Read from the cache', tokens: read, cost: cost.cache_read_input_tokens_total_cost },
    { name: 'Written to the cache', tokens: written, cost: cost.cache_creation_input_tokens_total_cost },
    { name: 'Completion', tokens: cost.completion_tokens, cost: cost.completion_tokens_total_cost },
    { name: 'Requests', tokens: null, cost: cost.requests_total_cost },
  ]
  return lines.filter(({ name, tokens, cost: amount }) => name === 'Completion' || (tokens ?? 0) > 0 || (amount ?? 0) > 0)
}

/** Every number that the client sent, those of nested objects too. */
function toCounts(usage: unknown, path = '', depth = 3): UsageLine[] {
  if (typeof usage === 'number') return [{ name: path, tokens: usage, cost: null }]
  if (typeof usage !== 'object' || usage === null || depth === 0) return []
  return Object.entries(usage).flatMap(([key, value]) => toCounts(value, path === '' ? key : `${path}.${key}`, depth - 1))
}
