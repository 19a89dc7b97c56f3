import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { isCatalogCost, isEffective } from '../../contract/compare-prices'
import type { ReceivedCost } from '../../contract/received-costs'
import { useConnection } from '../client/connection-context'
import { parseView, updateSearch } from '../table/view/url-params'
import { Icon } from '../ui/Icon'
import { type CostView, costParams, noCostFilters } from './cost-view'
import { costRows } from './records/cost-rows'
import { costsInForce } from './records/costs-in-force'
import { findPriceFlags, type PriceFlag } from './records/find-price-flags'

const words: Record<PriceFlag, (count: string) => string> = {
  unit: (count) => `${count} likely in the wrong unit`,
  high: (count) => `${count} above 0.01 a token`,
  inverted: (count) => `${count} with a completion below the prompt`,
  duplicate: (count) => `${count} recorded twice`,
  currency: (count) => `${count} in another currency`,
}
const maxCounted = 100

/** What is likely wrong with the project's prices: each kind counted, and a link that shows only these rows. */
export function PriceFlags({ records, asOf }: { records: readonly ReceivedCost[]; asOf: string }) {
  const connection = useConnection()
  const search = useSearch()
  const view = parseView(costParams, search)
  const flags = useMemo(() => findPriceFlags(costsInForce(records, asOf), records), [records, asOf])
  const [openedAt] = useState(() => new Date().toISOString())
  const laterQuery = { $expr: { $gt: [{ $getField: 'effective_date' }, { $literal: openedAt }] as const } }
  const later = useQuery({
    ...costRows.toQuery({ project_id: connection.projectId, query: laterQuery, limit: maxCounted }, connection),
    // A service of an older grammar refuses the query; then the strip is silent about later prices.
    retry: false,
  }).data?.rows.filter((cost) => !isCatalogCost(cost) && !isEffective(cost, openedAt)).length
  const toHref = (change: Partial<CostView>) =>
    `/costs?${updateSearch(costParams, search, { ...noCostFilters, ...change, row: '' })}`

  const linkClass = 'underline decoration-line-strong underline-offset-3 hover:decoration-current'
  const found = [...flags].filter(([, { length }]) => length > 0)
  if (found.length === 0 && !later) return null
  return (
    <nav aria-label="Prices to check" className="flex flex-wrap items-center gap-x-4 gap-y-0.5 border-t border-line px-4 py-1.5">
      <span className="flex items-center gap-2">
        <Icon name="warning" className="text-warn" />
        Check your prices:
      </span>
      {found.map(([flag, { length }]) => (
        <Link
          key={flag}
          href={toHref({ flag: view.flag === flag ? '' : flag })}
          aria-current={view.flag === flag ? 'true' : undefined}
          className={`${linkClass} ${view.flag === flag ? 'font-semibold' : ''}`}
        >
          {words[flag](String(length))}
        </Link>
      ))}
      {later !== undefined && later > 0 && (
        <Link href={toHref({ view: 'records', start: 'scheduled', source: 'yours' })} className={linkClass}>
          {`${later}${later === maxCounted ? ' or more' : ''} ${later === 1 ? 'starts' : 'start'} later`}
        </Link>
      )}
      {view.flag !== '' && (
        <Link href={toHref({})} className="text-quiet hover:text-text">
          Show all prices
        </Link>
      )}
    </nav>
  )
}
