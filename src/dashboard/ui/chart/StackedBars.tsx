import { type Mark, percent, type Tick } from './Plot'
import { RangeSlider, type RangeTexts } from './RangeSlider'
import { listLinearTicks } from './ticks'

/** One value for each bar. `className` sets the custom property `--series`, its colour. */
export type BarSeries = { className: string; values: readonly number[] }

export type BarLine = { value: number; label: string }

type Props = Omit<RangeTexts, 'hint'> & {
  /** How many bars there are. */
  count: number
  ticks: readonly Tick[]
  /** From the bottom to the top of each bar. */
  series: readonly BarSeries[]
  formatValue: (value: number) => string
  /** A level to compare the bars with. Left out where it is so far above them that they could not be read. */
  line?: BarLine | undefined
  marks?: readonly Mark[] | undefined
  hint?: string
}

/** Below a line that is higher, bars would be a quarter of the chart. */
const maxLineFactor = 4
const barWidth = 0.82
/** Of few bars, none is wider than this share of the chart. */
const maxBarWidth = 0.12
const defaultHint = 'Arrow keys go from bar to bar, with Shift they select several. Enter narrows the window to them.'

/** Stacked bars along one axis. */
export function StackedBars({ count, ticks, series, formatValue, line, marks, hint = defaultHint, ...texts }: Props) {
  const bases = Array.from({ length: count }, () => 0)
  const highest = Math.max(0, ...bases.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)))
  const isLineShown = line !== undefined && line.value <= highest * maxLineFactor
  const top = Math.max(highest, isLineShown ? line.value : 0) * 1.04 || 1
  const width = Math.min(barWidth / count, maxBarWidth)
  return (
    <RangeSlider
      {...texts}
      hint={hint}
      count={count}
      axes={{
        xTicks: ticks,
        yTicks: listLinearTicks(top, 4).map((value) => ({ at: value / top, label: formatValue(value) })),
        marks: marks?.map((mark) => ({ ...mark, at: toBarPlace(mark.at, count, width) })),
        level: isLineShown ? { at: line.value / top, label: line.label } : undefined,
      }}
    >
      {series.map(({ className, values }) => (
        // A line of the background tells the parts of a bar apart, also where colours are few.
        <g
          key={className}
          className={className}
          fill="var(--series)"
          stroke="var(--surface)"
          strokeWidth={series.length > 1 ? 1 : 0}
        >
          {values.map((value, index) => {
            if (value <= 0) return null
            const base = bases[index] ?? 0
            bases[index] = base + value
            return (
              <rect
                // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
                key={index}
                x={percent((index + 0.5) / count - width / 2)}
                y={percent(1 - (base + value) / top)}
                width={percent(width)}
                height={percent(value / top)}
              />
            )
          })}
        </g>
      ))}
    </RangeSlider>
  )
}

/** A bar is narrower than its part of the axis: what is within that part is marked within the bar. */
function toBarPlace(at: number, count: number, width: number): number {
  const index = Math.min(count - 1, Math.floor(at * count))
  return (index + 0.5) / count + (at * count - index - 0.5) * width
}
