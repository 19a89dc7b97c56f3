import type { ReceivedCost } from '../../contract/received-costs'
import type { SortKey } from '../table/view/url-params'
import { Icon } from '../ui/Icon'
import { listCurrencies } from './cost-display'
import { isPriceKey } from './in-force-rows'

type Props = {
  costs: readonly ReceivedCost[]
  sort: readonly SortKey[]
  /** The browser sorts each currency by itself; the server compares the numbers only. */
  sorter: 'browser' | 'server'
}

/** A warning that a list sorted by price has several currencies. */
export function MixedCurrencies({ costs, sort, sorter }: Props) {
  const currencies = listCurrencies(costs)
  if (currencies.length < 2 || !sort.some(isPriceKey)) return null
  return (
    <p className="flex items-start gap-2 px-4 pb-2 text-warn">
      <Icon name="warning" className="mt-0.5" />
      {sorter === 'browser'
        ? `Prices in ${currencies.join(', ')}: each currency is sorted by itself.`
        : `Prices in ${currencies.join(', ')}: the server sorts by the numbers and ignores the currency.`}
    </p>
  )
}
