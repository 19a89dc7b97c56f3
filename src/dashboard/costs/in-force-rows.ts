import { isCatalogCost } from '../../contract/compare-prices'
import type { Cost } from '../../contract/costs'
import type { SortKey } from '../table/view/url-params'
import { sortRowIndexes } from '../table/view/sort-row-indexes'
import type { CostRow } from './cost-columns'
import { getPriceRatio, formatCurrencies } from './cost-columns'
import { costsInForce } from './costs-in-force'
import type { CostView } from './cost-view'
import type { ProviderCount } from './ProviderFilter'

type Filters = Pick<CostView, 'search' | 'provider' | 'source' | 'sort'>

/** The rows of "in force": winners, filtered, sorted. Ties go by model, provider and id, so that the order is total. */
export function inForceRows(records: readonly Cost[], asOf: string, { search, provider, source, sort }: Filters): CostRow[] {
  const wanted = search.trim().toLowerCase()
  const winners = costsInForce(records, asOf).filter(
    (cost) =>
      (provider.length === 0 || provider.includes(cost.provider_id ?? '')) &&
      (source === 'any' || (source === 'catalog') === isCatalogCost(cost)) &&
      (wanted === '' || `${cost.llm_id ?? ''}\n${cost.provider_id ?? ''}`.toLowerCase().includes(wanted)),
  )
  const ties = ['llm_id', 'provider_id', 'id'].map((id): SortKey => ({ id, direction: 'asc' }))
  const order = sortRowIndexes(winners, [...withCurrency(sort, winners), ...ties], costValue)
  return Array.from(order, (index) => winners[index]).flatMap((cost) => (cost ? [{ cost, state: 'current' as const }] : []))
}

/** Prices in different currencies are never compared: each currency's rows stand together, sorted among themselves. */
function withCurrency(sort: readonly SortKey[], costs: readonly Cost[]): SortKey[] {
  const isMixed = new Set(costs.map(formatCurrencies)).size > 1
  return sort.flatMap((key): SortKey[] =>
    isMixed && isPriceKey(key) ? [{ id: 'prompt_token_cost_unit', direction: 'asc' }, key] : [key],
  )
}

export function isPriceKey({ id }: SortKey): boolean {
  return id === 'prompt_token_cost' || id === 'completion_token_cost'
}

/** What a column sorts a record by. */
function costValue(cost: Cost, id: string): string | number | null | undefined {
  switch (id) {
    case 'ratio':
      return getPriceRatio(cost)
    case 'source':
      return isCatalogCost(cost) ? 'catalog' : 'yours'
    case 'state':
      return 'current'
    case 'prompt_token_cost_unit':
      return formatCurrencies(cost)
    case 'llm_id':
      return cost.llm_id
    case 'provider_id':
      return cost.provider_id
    case 'prompt_token_cost':
      return cost.prompt_token_cost
    case 'completion_token_cost':
      return cost.completion_token_cost
    case 'effective_date':
      // The wire's form sorts as text once its Z is gone: `…00` before `…00.000001`.
      return cost.effective_date?.slice(0, -1)
    default:
      return cost.id
  }
}

/** How many models of each provider have a price in force, most first. */
export function providerCounts(records: readonly Cost[], asOf: string): ProviderCount[] {
  const counts = new Map<string, number>()
  for (const { provider_id: provider } of costsInForce(records, asOf)) {
    if (provider) counts.set(provider, (counts.get(provider) ?? 0) + 1)
  }
  return Array.from(counts, ([provider, count]) => ({ provider, count })).toSorted(
    (left, right) => right.count - left.count || (left.provider < right.provider ? -1 : 1),
  )
}
