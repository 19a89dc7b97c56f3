import { type ReactNode, useMemo } from 'react'
import { formatQuantity } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { LiveState } from '../../table/grid/LiveState'
import { Button } from '../../ui/Button'
import { sumTurns, type ThreadTurn } from './thread-turn'
import { TurnCost, TurnTokens } from './TurnFigures'
import type { TurnMark } from './turn-marks'

type Props = {
  turns: readonly ThreadTurn[]
  marks: readonly TurnMark[]
  /** More may follow, so the sums are not those of the thread. */
  isPartial: boolean
  live: 'live' | 'polling' | undefined
  onOpen: (index: number) => void
  /** What can be done with all of them. */
  children: ReactNode
}

/** The sums over all turns, and a way to those that are the percentiles. */
export function TurnsSummary({ turns, marks, isPartial, live, onOpen, children }: Props) {
  const sums = useMemo(() => sumTurns(turns), [turns])
  const hasUsage = turns.some(({ models }) => models.length > 0)
  return (
    <div className="mb-1 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
      <span>
        {isPartial && 'at least '}
        {formatQuantity(turns.length, 'turn')}
      </span>
      {sums.tokens && hasUsage && (
        <span className="text-quiet">
          <TurnTokens tokens={sums.tokens} hasUnit />
        </span>
      )}
      {sums.costs && sums.costs.length > 0 && (
        <span className="text-quiet">
          <TurnCost turn={sums} />
        </span>
      )}
      {live && <LiveState live={live} what="Turns are" />}
      <span className="ml-auto flex flex-wrap items-center justify-end gap-1">{children}</span>
      {/* A line of its own, also before they are known: the list below stays where it is. */}
      <span className="flex min-h-7 w-full flex-wrap gap-1">
        {marks.map(({ name, durationMs, indexes }) => (
          <Button key={name} title={formatExactDuration(durationMs)} onClick={() => onOpen(indexes.at(-1) ?? 0)}>
            <span className="font-semibold">{name}</span> {formatDuration(durationMs)}
            {/* Where both buttons would take two lines, the axis and the list alone say which turns these are. */}
            <span className="text-quiet @max-sm:sr-only">{formatTurnNumbers(indexes)}</span>
          </Button>
        ))}
      </span>
    </div>
  )
}

function formatTurnNumbers(indexes: readonly number[]): string {
  const numbers = indexes.map((index) => index + 1).toSorted((left, right) => left - right)
  return numbers.length === 1 ? `turn ${numbers[0]}` : `turns ${numbers.join(' and ')}`
}
