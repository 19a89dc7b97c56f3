import { isCatalogCost } from '../../contract/compare-prices'
import { toNumber } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import type { SortKey } from '../table/view/url-params'
import { sortRowIndexes } from '../table/view/sort-row-indexes'
import { formatCurrencies, getPriceRatio } from './cost-columns'
import { toWords } from './cost-query'
import { costsInForce } from './records/costs-in-force'
import type { CostView } from './cost-view'
import { priceWorkload, type Workload } from './workload'

type Filters = Pick<CostView, 'search' | 'provider' | 'source'>

/** The records in force, filtered and sorted. Ties are ordered by model, provider and id, so that the order is total. */
export function inForceRows(
  records: readonly ReceivedCost[],
  asOf: string,
  { sort, workload, ...filters }: Filters & Pick<CostView, 'sort'> & { workload?: Workload | undefined },
): ReceivedCost[] {
  const costs = costsInForce(records, asOf).filter((cost) => matchesFilters(cost, filters))
  const ties = ['llm_id', 'provider_id', 'id'].map((id): SortKey => ({ id, direction: 'asc' }))
  const order = sortRowIndexes(costs, [...addCurrencyKeys(sort, costs), ...ties], (cost, id) =>
    id === 'workload' ? toWorkloadPrice(cost, workload) : getSortValue(cost, id),
  )
  return Array.from(order, (index) => costs[index]).filter((cost) => cost !== undefined)
}

/** Whether a record passes the search and the filters of the view. */
export function matchesFilters(cost: ReceivedCost, { search, provider, source }: Filters): boolean {
  const text = `${cost.llm_id ?? ''}\n${cost.provider_id ?? ''}`.toLowerCase()
  return (
    (provider.length === 0 || provider.includes(cost.provider_id ?? '')) &&
    (source === 'any' || (source === 'catalog') === isCatalogCost(cost)) &&
    toWords(search.toLowerCase()).every((word) => text.includes(word))
  )
}

/** Prices in different currencies are not comparable: the rows of a currency stay together and are sorted by themselves. */
function addCurrencyKeys(sort: readonly SortKey[], costs: readonly ReceivedCost[]): SortKey[] {
  const isMixed = new Set(costs.map(formatCurrencies)).size > 1
  return sort.flatMap((key): SortKey[] =>
    isMixed && isPriceKey(key) ? [{ id: 'prompt_token_cost_unit', direction: 'asc' }, key] : [key],
  )
}

export function isPriceKey({ id }: SortKey): boolean {
  return id === 'workload' || id === 'prompt_token_cost' || id === 'completion_token_cost' || id === 'cache_read_input_token_cost'
}

function toWorkloadPrice(cost: ReceivedCost, workload: Workload | undefined): number | undefined {
  const amount = workload && priceWorkload(cost, workload)
  return amount && toNumber(amount)
}

/** The value that a column sorts a record by. */
function getSortValue(cost: ReceivedCost, id: string): string | number | null | undefined {
  switch (id) {
    case 'ratio':
      return getPriceRatio(cost)
    case 'source':
      return isCatalogCost(cost) ? 'catalog' : 'yours'
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
    case 'cache_read_input_token_cost':
      return cost.cache_read_input_token_cost
    case 'effective_date':
      // Without the `Z`, instants sort as text: `…00` before `…00.000001`.
      return cost.effective_date?.slice(0, -1)
    default:
      return cost.id
  }
}
