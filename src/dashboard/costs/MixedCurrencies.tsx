import { Icon } from '../ui/Icon'
import type { SortKey } from '../table/view/url-params'
import type { CostRow } from './cost-columns'
import { listCurrencies } from './cost-display'
import { isPriceKey } from './in-force-rows'

type Props = {
  rows: readonly CostRow[] | undefined
  sort: readonly SortKey[]
  /** Who put the rows in order: this page keeps currencies apart, the server compares bare numbers. */
  sorter: 'page' | 'server'
}

/** Said whenever prices of several currencies stand in one sorted list. */
export function MixedCurrencies({ rows, sort, sorter }: Props) {
  const currencies = listCurrencies((rows ?? []).map(({ cost }) => cost))
  if (currencies.length < 2 || !sort.some(isPriceKey)) return null
  return (
    <p className="flex items-start gap-2 px-4 pb-2 text-warn">
      <Icon name="warning" className="mt-0.5" />
      {sorter === 'page'
        ? `Prices in ${currencies.join(', ')}: each currency is sorted by itself.`
        : `Prices in ${currencies.join(', ')}: the server sorts by the bare numbers, whatever their currency.`}
    </p>
  )
}
