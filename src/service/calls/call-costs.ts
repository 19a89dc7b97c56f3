import type { Call, CallCost } from '../../contract/calls'
import { JsonText } from '../lib/json-text'
import { TimeSlices } from '../lib/time-slices'
import { calculateCallCost } from '../pricing/cost-of-usage'
import type { PriceBook } from '../pricing/price-book'
import { parseUsage } from '../usage/usage'
import type { UsageSender } from '../usage/usage-sender'
import type { QueryOptions } from '../store/store'

export type PricedCall = { call: Call; provider: string | null | undefined; sender: UsageSender }

/**
 * Adds to each call's `summary.weave` what its models cost, by model. A model without a price has no entry. As in W&B Weave
 * this is the price of what the call reported, so a call that adds up its children has their costs again.
 */
export async function addCosts(calls: readonly PricedCall[], prices: PriceBook, options: QueryOptions): Promise<void> {
  const slices = new TimeSlices()
  const used = []
  for (const { call, provider, sender } of calls) {
    if (slices.isOver) await slices.next()
    used.push({ call, provider, usage: parseUsage(readUsage(call), sender) })
  }
  await prices.load(
    used.flatMap(({ usage }) => [...usage.keys()]),
    options,
  )
  for (const { call, provider, usage } of used) {
    const costs: [string, CallCost][] = []
    for (const [model, tokens] of usage) {
      if (slices.isOver) await slices.next()
      const price = prices.findPrice(model, call.started_at, provider ?? undefined)
      if (price) costs.push([model, calculateCallCost(tokens, price)])
    }
    if (call.summary && costs.length > 0) call.summary.weave.costs = Object.fromEntries(costs)
  }
}

/** Usage that is longer than any that is accepted today is not parsed. */
function readUsage({ summary }: Call): unknown {
  const usage = summary?.['usage']
  return usage instanceof JsonText ? undefined : usage
}
