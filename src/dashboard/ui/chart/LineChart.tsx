import { type Mark, Plot } from './Plot'
import { PlotLine } from './PlotLine'
import { listLinearTicks } from './ticks'

/** One value for each place on the x axis, null where there is none. `className` sets `--series`, the colour. */
export type Line = { className: string; values: readonly (number | null)[] }

type Props = {
  /** What is shown, in words: a table beside the chart has the figures. */
  label: string
  /** Ascending. */
  xs: readonly number[]
  lines: readonly Line[]
  /** A value holds until the next one. */
  isStepped?: boolean
  formatX: (x: number) => string
  formatY: (value: number) => string
  /** A place on the x axis that is marked by a vertical line. */
  mark?: { x: number; label: string } | undefined
}

const xTickShares = [0, 0.25, 0.5, 0.75, 1]

/** Lines over a numeric axis, such as prices over time. A picture without controls. */
export function LineChart({ label, xs, lines, isStepped = false, formatX, formatY, mark }: Props) {
  const first = xs[0] ?? 0
  const length = (xs.at(-1) ?? first) - first || 1
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const top = highest > 0 ? highest * 1.08 : 1
  const marks: Mark[] = mark ? [{ at: (mark.x - first) / length, label: mark.label }] : []
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> holds no elements
    <div role="img" aria-label={label} className="line-chart">
      <Plot
        xTicks={xTickShares.map((at) => ({ at, label: formatX(first + at * length) }))}
        yTicks={listLinearTicks(top, 4).map((value) => ({ at: value / top, label: formatY(value) }))}
        marks={marks}
      >
        {lines.map(({ className, values }) => (
          <PlotLine
            key={className}
            className={className}
            isStepped={isStepped}
            points={values.map((value, index) =>
              value === null ? null : { x: ((xs[index] ?? 0) - first) / length, y: value / top },
            )}
          />
        ))}
      </Plot>
    </div>
  )
}
