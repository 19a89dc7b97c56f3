import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call, CallCost } from '../../contract/calls'
import { calculateCallCost } from '../pricing/cost-of-usage'
import type { PriceBook } from '../pricing/price-book'
import { parseUsage } from '../pricing/usage'
import type { QueryOptions } from '../store/store'

type PricedCall = { call: Call; provider: string | null | undefined }

// Between two turns of the event loop the process serves no other request.
const callsPerTurn = 500

/** Adds to each call's `summary.weave` what its models cost, by model. A model without a price has no entry. */
export async function addCosts(calls: readonly PricedCall[], prices: PriceBook, options: QueryOptions): Promise<void> {
  const used = calls.map(({ call, provider }) => ({ call, provider, usage: parseUsage(call.summary?.['usage']) }))
  await prices.load(
    used.flatMap(({ usage }) => [...usage.keys()]),
    options,
  )
  for (const [index, { call, provider, usage }] of used.entries()) {
    if (index % callsPerTurn === callsPerTurn - 1) await nextTurn()
    const costs = [...usage].flatMap(([model, tokens]): [string, CallCost][] => {
      const price = prices.findPrice(model, call.started_at, provider ?? undefined)
      return price ? [[model, calculateCallCost(tokens, price)]] : []
    })
    if (call.summary && costs.length > 0) call.summary.weave.costs = Object.fromEntries(costs)
  }
}
