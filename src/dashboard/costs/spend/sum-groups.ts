import { addDecimals, formatPlainDecimal, parsePlainDecimal } from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'

type Cost = SpendGroup['costs'][number]

/**
 * All calls as one group, from all groups of them: money and tokens are those that the service gives for all calls. A call
 * with two models is in the groups of both, so of models the counts of calls are only upper bounds.
 */
export function sumGroups(groups: readonly SpendGroup[]): SpendGroup {
  const add = (read: (group: SpendGroup) => number) => groups.reduce((sum, group) => sum + read(group), 0)
  const costs = new Map<string, Cost>()
  for (const cost of groups.flatMap((group) => group.costs)) {
    const before = costs.get(cost.currency)
    costs.set(cost.currency, before ? addCosts(before, cost) : cost)
  }
  return {
    call_count: add((group) => group.call_count),
    unpriced_call_count: add((group) => group.unpriced_call_count),
    prompt_tokens: add((group) => group.prompt_tokens),
    completion_tokens: add((group) => group.completion_tokens),
    cache_read_input_tokens: add((group) => group.cache_read_input_tokens),
    cache_creation_input_tokens: add((group) => group.cache_creation_input_tokens),
    // A sum is not known where a part of it is not.
    ...(groups.every((group) => group.priced_prompt_tokens !== undefined) && {
      priced_prompt_tokens: add((group) => group.priced_prompt_tokens ?? 0),
      priced_completion_tokens: add((group) => group.priced_completion_tokens ?? 0),
    }),
    costs: [...costs.values()],
  }
}

function addCosts(left: Cost, right: Cost): Cost {
  const add = (key: Exclude<keyof Cost, 'currency'>) =>
    formatPlainDecimal(addDecimals(parsePlainDecimal(left[key]), parsePlainDecimal(right[key])))
  return {
    currency: left.currency,
    prompt: add('prompt'),
    completion: add('completion'),
    cache_read: add('cache_read'),
    cache_creation: add('cache_creation'),
    total: add('total'),
  }
}
