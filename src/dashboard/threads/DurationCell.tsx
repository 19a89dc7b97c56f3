import { formatExactDuration, formatDuration } from '../format/duration'
import { Icon } from '../ui/Icon'

/** Below this many turns the p99 is close to the slowest turn. */
export const fewTurnsLimit = 10

type Props = {
  milliseconds: number | null
  percentile: 'p50' | 'p99'
  /** The duration of a full bar, and the one from which durations are shown as slow (0: none). */
  display: { scaleMs: number; slowMs: number }
  /** If given, a low number of turns is shown beside the duration. */
  turnCount?: number
}

/** A duration with a bar; the p50 and p99 columns share one scale. */
export function DurationCell({ milliseconds, percentile, display, turnCount = Infinity }: Props) {
  if (milliseconds === null) return <NoDuration />
  const { scaleMs, slowMs } = display
  const isSlow = slowMs > 0 && milliseconds >= slowMs
  const share = scaleMs > 0 ? Math.min(100, (milliseconds / scaleMs) * 100) : 0
  const isBeyond = milliseconds > scaleMs
  return (
    <span
      className="flex items-center justify-end gap-2"
      title={
        isBeyond
          ? `${formatExactDuration(milliseconds)}; longer than the full bar of ${formatDuration(scaleMs)}`
          : formatExactDuration(milliseconds)
      }
    >
      <span aria-hidden="true" className="duration-track">
        <span className={`duration-bar is-${percentile} ${isBeyond ? 'is-cut' : ''}`} style={{ width: `${share}%` }} />
      </span>
      {turnCount < fewTurnsLimit && (
        <span
          className="text-xs text-faint"
          title={`Of only ${turnCount} ${turnCount === 1 ? 'turn' : 'turns'}: close to the slowest one`}
        >
          {`of ${turnCount}`}
        </span>
      )}
      <span className={`inline-flex min-w-16 items-center justify-end gap-1 ${isSlow ? 'font-semibold text-bad' : ''}`}>
        {isSlow && (
          <>
            <Icon name="warning" className="size-3" />
            <span className="sr-only">slow: </span>
          </>
        )}
        {formatDuration(milliseconds)}
      </span>
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
