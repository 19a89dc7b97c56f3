import { formatExactDuration, formatDuration } from '../format/duration'
import { Icon } from '../ui/Icon'
import type { ThreadDisplay } from './thread-columns'

/** Under so many turns the slowest hundredth is hardly more than the slowest turn. */
export const fewTurnsLimit = 10

type Props = {
  milliseconds: number | null
  mark: 'p50' | 'p99'
  context: Pick<ThreadDisplay, 'scaleMs' | 'slowMs'>
  /** Given: few turns are named beside the figure. */
  turnCount?: number
}

/** A duration with a bar drawn to the one scale of both columns. */
export function DurationCell({ milliseconds, mark, context, turnCount = Infinity }: Props) {
  if (milliseconds === null) return <NoDuration />
  const { scaleMs, slowMs } = context
  const isSlow = slowMs > 0 && milliseconds >= slowMs
  const share = scaleMs > 0 ? Math.min(100, (milliseconds / scaleMs) * 100) : 0
  const isBeyond = milliseconds > scaleMs
  return (
    <span
      className="flex items-center justify-end gap-2"
      title={
        isBeyond
          ? `${formatExactDuration(milliseconds)}; the bar is cut, a full one is ${formatDuration(scaleMs)}`
          : formatExactDuration(milliseconds)
      }
    >
      <span aria-hidden="true" className="duration-track">
        <span className={`duration-bar is-${mark} ${isBeyond ? 'is-cut' : ''}`} style={{ width: `${share}%` }} />
      </span>
      {turnCount < fewTurnsLimit && (
        <span
          className="text-xs text-faint"
          title={`Over only ${turnCount} ${turnCount === 1 ? 'turn' : 'turns'}: hardly more than the slowest one`}
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
