import { formatCount } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { formatVisibleText } from '../../format/visible-text'
import { formatCosts } from '../calls/format-spent'
import type { ThreadTurn } from './thread-turn'

// Figures of turns as they stand in lists, headers and comparisons. Null is unknown everywhere.

const unknown = <span className="text-faint">—</span>

export function TurnDuration({ turn: { durationMs, status } }: { turn: ThreadTurn }) {
  if (durationMs === null) return <span className="text-faint">{status === 'running' ? 'no duration yet' : '—'}</span>
  return <span title={formatExactDuration(durationMs)}>{formatDuration(durationMs)}</span>
}

export function TurnTokens({ tokens, hasUnit = false }: { tokens: ThreadTurn['tokens']; hasUnit?: boolean }) {
  if (!tokens) return unknown
  const { prompt, completion } = tokens
  return (
    <span title={`${formatCount(String(prompt))} prompt and ${formatCount(String(completion))} completion tokens`}>
      {formatCount(String(prompt + completion))}
      {hasUnit && ' tokens'}
    </span>
  )
}

/** The models, the one with most tokens first. */
export function TurnModels({ models }: { models: readonly string[] }) {
  const [first, ...rest] = models.map(formatVisibleText)
  if (first === undefined) return unknown
  return (
    <span className="inline-block max-w-full truncate align-bottom" title={[first, ...rest].join(', ')}>
      <bdi>{first}</bdi>
      {rest.length > 0 && ` +${rest.length}`}
    </span>
  )
}

/** Sums in different currencies stand beside each other: they cannot be added. */
export function TurnCost({ turn }: { turn: Pick<ThreadTurn, 'costs' | 'unpricedCallCount'> }) {
  const { costs, unpricedCallCount: unpriced } = turn
  if (!costs) return unknown
  const missing =
    unpriced === 0
      ? ''
      : unpriced === 1
        ? '1 call has no known price and is not included'
        : `${formatCount(String(unpriced))} calls have no known price and are not included`
  if (costs.length === 0) {
    return unpriced === 0 ? (
      unknown
    ) : (
      <span className="text-faint" title={missing}>
        no price
      </span>
    )
  }
  const exact = costs.map(({ currency, total }) => `${total} ${formatVisibleText(currency)}`).join(', ')
  return (
    <span title={missing ? `${exact}. ${missing}` : exact}>
      {missing && (
        <>
          <span className="sr-only">at least </span>
          <span aria-hidden="true" className="text-faint">
            ≥{' '}
          </span>
        </>
      )}
      {formatCosts(costs)}
    </span>
  )
}
