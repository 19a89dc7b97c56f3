import { useMemo } from 'react'
import type { ThreadShape } from '../../../contract/thread-shape'
import { formatCount, formatQuantity } from '../../format/count'
import { formatInterval, formatTick, nameInterval } from '../../format/interval'
import { usePreferences } from '../../format/preferences'
import { ChartTable } from '../../ui/chart/ChartTable'
import { StackedBars } from '../../ui/chart/StackedBars'
import { toPlaceTicks } from '../../ui/chart/ticks'
import { type Bounds, narrowWindow } from './narrow-window'
import type { OverviewProps } from './overview-props'

type Props = Pick<OverviewProps, 'setView' | 'isTable'> & { shape: ThreadShape; bounds: Bounds }

/** How many turns started, by hour, day, week or month. Bars that are chosen become the window of the list. */
export function StartsChart({ shape: { starts }, bounds, setView, isTable }: Props) {
  const { zone } = usePreferences()
  const drawn = useMemo(() => {
    const spans = starts.map((each) => ({ from: Date.parse(each.interval), to: Date.parse(each.interval_end) }))
    const name = nameInterval(spans[0]?.from ?? 0, spans[0]?.to ?? 0)
    return {
      name,
      spans,
      ticks: toPlaceTicks(spans.map(({ from }) => formatTick(from, name, zone))),
      series: [{ className: 'series-1', values: starts.map(({ turn_count }) => turn_count) }],
    }
  }, [starts, zone])
  const { name, spans } = drawn
  if (starts.length === 0) return <p className="text-quiet">No turn.</p>
  const label = `Turns started by ${name}`
  const toName = (index: number) => formatInterval(spans[index]?.from ?? 0, name, zone)
  const describe = (first: number, last: number) => {
    const turns = starts.slice(first, last + 1).reduce((sum, { turn_count }) => sum + turn_count, 0)
    // Threads of several intervals would count twice.
    const threads = first === last ? ` of ${formatQuantity(starts[first]?.thread_count ?? 0, 'thread')}` : ''
    return `${first === last ? toName(first) : `${toName(first)} to ${toName(last)}`}: ${formatQuantity(turns, 'turn')}${threads}`
  }
  if (isTable) {
    return (
      <ChartTable
        label={label}
        rowLabel={name}
        columns={[
          { id: 'turns', label: 'Turns' },
          { id: 'threads', label: 'Threads' },
        ]}
        rows={starts.map(({ turn_count, thread_count }, index) => ({
          id: index,
          name: toName(index),
          values: [turn_count, thread_count].map((count) => formatCount(String(count))),
        }))}
      />
    )
  }
  return (
    <StackedBars
      label={label}
      count={spans.length}
      ticks={drawn.ticks}
      series={drawn.series}
      formatValue={formatWhole}
      describe={describe}
      renderReadout={(first, last) => describe(first, last)}
      onSelect={(first, last) => setView(narrowWindow(bounds, spans[first]?.from ?? 0, spans[last]?.to ?? 0))}
    />
  )
}

/** Half a turn is no place on an axis. */
export function formatWhole(value: number): string {
  return Number.isInteger(value) ? formatCount(String(value)) : ''
}
