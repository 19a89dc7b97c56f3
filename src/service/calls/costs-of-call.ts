import type { CallCost } from '../../contract/calls'
import { calculateCallCost } from '../pricing/cost-of-usage'
import type { PriceBook } from '../pricing/price-book'
import { parseUsage } from '../pricing/usage'
import { fromEngineTime } from '../store/engine-time'
import type { QueryOptions } from '../store/store'
import type { ReadCallRow } from './call-row-schema'

/** What each call's models cost, by call and model; a model without a price has no entry. */
export async function costsOfCall(
  rows: readonly ReadCallRow[],
  prices: PriceBook,
  options: QueryOptions,
): Promise<Map<string, Record<string, CallCost>>> {
  const used = rows.map((row) => ({ row, usage: parseUsage(usageIn(row.summary)) }))
  await prices.load(
    used.flatMap(({ usage }) => [...usage.keys()]),
    options,
  )
  return new Map(
    used.map(({ row, usage }) => {
      const startedAt = fromEngineTime(row.started_at)
      const entries = [...usage].flatMap(([model, tokens]) => {
        const price = prices.findPrice(model, startedAt, row.provider || undefined)
        return price ? [[model, calculateCallCost(tokens, price)] as const] : []
      })
      return [row.id, Object.fromEntries(entries)]
    }),
  )
}

function usageIn(summary: string | undefined): unknown {
  const value: unknown = summary ? JSON.parse(summary) : undefined
  return typeof value === 'object' && value !== null && 'usage' in value ? value.usage : undefined
}
