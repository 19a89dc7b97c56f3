import { Link } from 'wouter'
import { EmptyState } from '../../ui/EmptyState'

/** In place of Spend where the service has no such operation. */
export function MissingSpend() {
  return (
    <EmptyState>
      This service does not tell what calls cost: it has no POST /spend/query.{' '}
      <Link href="/costs?view=prices" className="text-accent underline">
        Prices
      </Link>{' '}
      and records work without it.
    </EmptyState>
  )
}
