import { useMemo } from 'react'
import type { ThreadShape } from '../../../contract/thread-shape'
import { formatCount, formatQuantity } from '../../format/count'
import { formatDuration } from '../../format/duration'
import { ChartTable } from '../../ui/chart/ChartTable'
import { StackedBars } from '../../ui/chart/StackedBars'
import type { Tick } from '../../ui/chart/Plot'
import { formatStep, listDurationTicks } from './format-step'
import { formatWhole } from './StartsChart'
import type { OverviewProps } from './overview-props'

type Props = Pick<OverviewProps, 'setView' | 'isTable'> & { shape: ThreadShape }

/** Turns by duration on a logarithmic scale. A chosen bar becomes the least p99 of the list. */
export function DurationsChart({ shape, setView, isTable }: Props) {
  const { durations } = shape
  const drawn = useMemo(
    () => ({
      ticks: listTicks(shape),
      series: [{ className: 'series-1', values: shape.durations.map(({ turn_count }) => turn_count) }],
      marks: [
        { name: 'p50', ms: shape.p50_turn_duration_ms, side: 'left' as const },
        { name: 'p99', ms: shape.p99_turn_duration_ms, side: 'right' as const },
      ].flatMap(({ name, ms, ...side }) => (ms === null ? [] : [{ at: toPlace(shape, ms), label: name, ...side }])),
    }),
    [shape],
  )
  if (durations.length === 0) return <p className="text-quiet">No finished turn.</p>
  const label = 'Turns by duration'
  const describe = (first: number) => {
    const from = durations[first]
    const count = durations.slice(first).reduce((sum, { turn_count }) => sum + turn_count, 0)
    const share = ((count / shape.finished_turn_count) * 100).toFixed(1)
    return `${formatStep(from?.from_ms ?? 0)} to ${formatStep(from?.to_ms ?? 0)}: ${formatQuantity(from?.turn_count ?? 0, 'turn')}; from ${formatStep(from?.from_ms ?? 0)} on: ${formatCount(String(count))}, ${share} %`
  }
  if (isTable) {
    return (
      <ChartTable
        label={label}
        rowLabel="Duration"
        columns={[{ id: 'turns', label: 'Turns' }]}
        rows={durations.map(({ from_ms, to_ms, turn_count }) => ({
          id: from_ms,
          name: `${formatStep(from_ms)} to ${formatStep(to_ms)}`,
          values: [formatCount(String(turn_count))],
        }))}
      />
    )
  }
  return (
    <StackedBars
      label={label}
      hint="Arrow keys go from bar to bar. Enter keeps the threads whose p99 is at least as long."
      count={durations.length}
      ticks={drawn.ticks}
      series={drawn.series}
      marks={drawn.marks}
      formatValue={formatWhole}
      describe={describe}
      renderReadout={(first) => describe(first)}
      onSelect={(first) => setView({ p99: Math.floor(durations[first]?.from_ms ?? 0) })}
      isOpenEnded
    />
  )
}

/** Of all finished turns. */
export function formatPercentiles({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }: ThreadShape): string {
  return `p50 ${formatNullable(p50)}, p99 ${formatNullable(p99)}`
}

function formatNullable(milliseconds: number | null): string {
  return milliseconds === null ? '—' : formatDuration(milliseconds)
}

const maxTicks = 6

/** Round durations. The first bar may begin at 0, where a logarithmic axis has none; where it is the only one, it has its own. */
function listTicks(shape: ThreadShape): Tick[] {
  const { from_ms: from = 0, to_ms: to = 1 } = shape.durations[0] ?? {}
  const last = shape.durations.at(-1)?.to_ms ?? to
  const ticks = last === (from || to) ? [from, to] : listDurationTicks(from || to, last, maxTicks)
  return ticks.map((ms) => ({
    at: toPlace(shape, ms),
    label: formatStep(ms),
  }))
}

/** Where a duration is along the bars, 0 to 1. */
function toPlace({ durations }: ThreadShape, ms: number): number {
  const index = Math.max(
    0,
    durations.findLastIndex(({ from_ms }) => from_ms <= ms),
  )
  const { from_ms: from = 0, to_ms: to = 1 } = durations[index] ?? {}
  const share = from === 0 ? ms / to : Math.log(ms / from) / Math.log(to / from)
  return (index + Math.min(1, share)) / durations.length
}
