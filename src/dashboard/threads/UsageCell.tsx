import type { FoundThread } from '../../contract/thread-search'
import { formatCost, formatCurrency } from '../format/amount'
import { formatCount } from '../format/count'
import { formatVisibleText } from '../format/visible-text'

/** What a thread has of its calls. */
export type CallFigures = Pick<FoundThread, 'error_count' | 'total_tokens' | 'costs' | 'unpriced_call_count' | 'models'>

const unknown = <span className="text-faint">—</span>

/** For a figure that is still being read, or is read again after `error`. */
export function NotReadYet({ error }: { error: Error | null }) {
  return (
    <abbr title={error ? `Not read yet: ${error.message}` : 'Being read'} className="text-faint no-underline">
      …
    </abbr>
  )
}

/** What a thread cost; `currency` stands in the header. Sums in different currencies have a line each: they cannot be added. */
export function ThreadCost({
  figures,
  currency: columnCurrency,
}: {
  figures: CallFigures | undefined
  currency: string | undefined
}) {
  if (!figures) return unknown
  const { costs, unpriced_call_count: unpriced } = figures
  if (costs.length === 0) {
    return unpriced === 0 ? (
      unknown
    ) : (
      <span className="text-faint" title={formatUnpriced(unpriced)}>
        no price
      </span>
    )
  }
  const exact = formatVisibleText(formatExactCost(figures) ?? '')
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
      {costs.map(({ currency, total }) => (
        <span key={currency} className={costs.length > 1 ? 'amount-line' : undefined}>
          {formatCost(total)}
          {currency !== columnCurrency && formatCost(total) !== 'free' && (
            <bdi className="text-xs text-quiet"> {formatCurrency(currency)}</bdi>
          )}
        </span>
      ))}
    </span>
  )
}

export function ThreadTokens({ figures }: { figures: CallFigures | undefined }) {
  const tokens = countTokens(figures)
  return tokens === null ? unknown : formatCount(String(tokens))
}

/** Calls that failed: red with a sign, because colour alone says nothing to some. */
export function ThreadErrors({ figures }: { figures: CallFigures | undefined }) {
  if (!figures) return unknown
  const { error_count: count } = figures
  if (count === 0) return <span className="text-faint">0</span>
  return (
    <span className="text-bad">
      <span aria-hidden="true">! </span>
      {formatCount(String(count))}
      <span className="sr-only">{count === 1 ? ' failed call' : ' failed calls'}</span>
    </span>
  )
}

/** The one currency of all these sums; undefined where they differ. */
export function getCommonCurrency(figures: Iterable<CallFigures>): string | undefined {
  const currencies = new Set([...figures].flatMap(({ costs }) => costs.map(({ currency }) => currency)))
  return currencies.size === 1 ? [...currencies][0] : undefined
}

/** Null where nothing is known about the tokens of the thread. */
export function countTokens(figures: CallFigures | undefined): number | null {
  return figures && figures.models.length > 0 ? figures.total_tokens : null
}

/** The longest line of `ThreadCost`, in characters. */
export function measureCost({ costs, unpriced_call_count: unpriced }: CallFigures, columnCurrency: string | undefined): number {
  const lengths = costs.map(
    ({ currency, total }) =>
      formatCost(total).length + (currency === columnCurrency ? 0 : 1 + Array.from(formatCurrency(currency)).length),
  )
  return Math.max(0, ...lengths) + (unpriced > 0 ? 2 : 0)
}

/** `1.25 USD`, or `1.25 USD, 3 EUR`; null where no price is known. All digits. */
export function formatExactCost(figures: CallFigures | undefined): string | null {
  return figures?.costs.map(({ currency, total }) => `${total} ${currency}`).join(', ') || null
}

function formatUnpriced(count: number): string {
  return count === 1
    ? '1 call has no known price and is not included'
    : `${formatCount(String(count))} calls have no known price and are not included`
}
