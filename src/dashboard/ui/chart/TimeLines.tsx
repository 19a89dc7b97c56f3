import type { Mark } from './Plot'
import { PlotLine } from './PlotLine'
import { RangeSlider, type RangeTexts } from './RangeSlider'
import { toPlaceTicks } from './ticks'

/** One value for each interval, null where there is none. `className` sets `--series`, the colour. */
export type TimeLine = { className: string; values: readonly (number | null)[] }

type Props = RangeTexts & {
  /** The labels of the intervals. */
  ticks: readonly string[]
  lines: readonly TimeLine[]
  marks: readonly Mark[]
  /** At most `maxCount` round values of a logarithmic axis. */
  listTicks: (low: number, high: number, maxCount: number) => readonly number[]
  formatValue: (value: number) => string
}

/** Lines over intervals of time on a logarithmic scale, so that a change of the lower line is seen below the upper one. */
export function TimeLines({ ticks, lines, marks, listTicks, formatValue, ...texts }: Props) {
  const values = lines.flatMap((line) => line.values.flatMap((value) => (value !== null && value > 0 ? [value] : [])))
  const [low, high] = values.length > 0 ? [Math.min(...values) / 1.25, Math.max(...values) * 1.25] : [1, 10]
  const toShare = (value: number) => Math.log(value / low) / Math.log(high / low)
  return (
    <RangeSlider
      {...texts}
      count={ticks.length}
      axes={{
        xTicks: toPlaceTicks(ticks),
        yTicks: listTicks(low, high, 4).map((value) => ({ at: toShare(value), label: formatValue(value) })),
        marks,
      }}
    >
      {lines.map(({ className, values: own }) => (
        <PlotLine
          key={className}
          className={className}
          hasPoints
          points={own.map((value, index) =>
            value === null || value <= 0 ? null : { x: (index + 0.5) / ticks.length, y: toShare(value) },
          )}
        />
      ))}
    </RangeSlider>
  )
}
