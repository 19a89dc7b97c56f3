import type { ReactNode } from 'react'
import { formatQuantity } from '../format/count'
import { formatExactDuration, formatDuration } from '../format/duration'
import { Icon } from '../ui/Icon'
import { describeFewP99, fewTurnsLimit } from './turns/few-turns'

type Props = {
  milliseconds: number | null
  /** Durations of at least this are shown as slow; 0 shows none. */
  slowMs: number
  /** Before the figure, such as its bar. */
  children?: ReactNode
}

/** A duration; its title has the exact value. */
export function DurationCell({ milliseconds, slowMs, children }: Props) {
  if (milliseconds === null) return <NoDuration />
  const isSlow = slowMs > 0 && milliseconds >= slowMs
  const duration = (
    <span
      title={formatExactDuration(milliseconds)}
      className={`${children ? 'min-w-16 shrink-0' : ''} ${isSlow ? 'inline-flex items-center justify-end gap-1 font-semibold text-bad' : ''}`}
    >
      {isSlow && (
        <>
          <Icon name="warning" className="size-3" />
          <span className="sr-only">slow: </span>
        </>
      )}
      {formatDuration(milliseconds)}
    </span>
  )
  if (!children) return duration
  return (
    <span className="flex items-center justify-end gap-1.5">
      {children}
      {duration}
    </span>
  )
}

/** Says that a p99 is of few turns. Nothing for as many turns as a percentile needs. */
export function FewTurns({ count }: { count: number | null }) {
  if (count === null || count >= fewTurnsLimit) return null
  return (
    <span
      className="flex h-4 min-w-7 flex-wrap justify-end overflow-hidden text-xs whitespace-nowrap text-faint max-sm:order-2"
      title={`Only ${formatQuantity(count, 'turn')}: the p99 ${describeFewP99(count)}`}
    >
      {/* Where it does not fit it is on the second line, which nobody sees: half of it would be read as part of the duration. */}
      <span className="h-4" />
      <span>{`of ${formatQuantity(count, 'turn')}`}</span>
    </span>
  )
}

export function NoDuration() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">no finished turn</span>
    </span>
  )
}
