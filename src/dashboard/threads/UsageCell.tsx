import type { ThreadUsage } from '../../contract/thread-usage'
import { formatCost } from '../format/cost'
import { formatCount } from '../format/count'
import { formatPrice } from '../format/money'

const unknown = <span className="text-faint">—</span>

/** What a thread cost; `currency` stands in the header. Sums in different currencies stand beside each other: they cannot be added. */
export function ThreadCost({
  usage,
  currency: columnCurrency,
}: {
  usage: ThreadUsage | undefined
  currency: string | undefined
}) {
  if (!usage) return unknown
  const costs = Object.entries(usage.total_cost)
  const unpriced = countUnpricedCalls(usage)
  if (costs.length === 0) {
    return unpriced === 0 ? (
      unknown
    ) : (
      <span className="text-faint" title={formatUnpriced(unpriced)}>
        no price
      </span>
    )
  }
  const exact = costs.map(([currency, cost]) => `${formatPrice(cost, 'token').exact} ${currency}`).join(', ')
  return (
    <span title={unpriced === 0 ? exact : `${exact}. ${formatUnpriced(unpriced)}`}>
      {unpriced > 0 && (
        <>
          <span className="sr-only">at least </span>
          <span aria-hidden="true" className="text-faint">
            ≥{' '}
          </span>
        </>
      )}
      {costs.map(([currency, cost], index) => (
        <span key={currency}>
          {index > 0 && ', '}
          {formatCost(cost)}
          {currency !== columnCurrency && <span className="text-xs text-quiet"> {currency}</span>}
        </span>
      ))}
    </span>
  )
}

export function ThreadTokens({ usage }: { usage: ThreadUsage | undefined }) {
  const tokens = countTokens(usage)
  return tokens === null ? unknown : formatCount(String(tokens))
}

/** The one currency of all these sums; undefined where they differ. */
export function getCommonCurrency(usages: Iterable<ThreadUsage>): string | undefined {
  const currencies = new Set([...usages].flatMap(({ total_cost }) => Object.keys(total_cost)))
  return currencies.size === 1 ? [...currencies][0] : undefined
}

/** Null where nothing is known about the tokens of the thread. */
export function countTokens(usage: ThreadUsage | undefined): number | null {
  const models = Object.values(usage?.models ?? {})
  return models.length === 0 ? null : models.reduce((sum, model) => sum + model.prompt_tokens + model.completion_tokens, 0)
}

/** `1.25 USD`, or `1.25 USD, 3 EUR`; null where no price is known. All digits, for exports. */
export function formatExactCost(usage: ThreadUsage | undefined): string | null {
  const costs = Object.entries(usage?.total_cost ?? {})
  return costs.map(([currency, cost]) => `${formatPrice(cost, 'token').exact} ${currency}`).join(', ') || null
}

function countUnpricedCalls(usage: ThreadUsage): number {
  return Object.values(usage.models).reduce((sum, model) => sum + model.unpriced_call_count, 0)
}

function formatUnpriced(count: number): string {
  return count === 1
    ? '1 call has no known price and is not included'
    : `${formatCount(String(count))} calls have no known price and are not included`
}
