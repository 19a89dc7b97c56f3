import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { drawMark, type Mark } from './draw-mark'
import { readColors, watchPlot } from './watch-plot'

/** One value for each place on the x axis, null where there is none. `className` sets `--series`, the colour. */
export type Line = { className: string; values: readonly (number | null)[] }

type Props = {
  /** What is shown, in words: a table beside the chart has the figures. */
  label: string
  /** Ascending. Keep the arrays while nothing changes: new ones draw again. */
  xs: readonly number[]
  lines: readonly Line[]
  /** A value holds until the next one. */
  isStepped?: boolean
  /** The x axis has seconds since 1970. */
  isTime?: boolean
  formatX: (x: number) => string
  formatY: (value: number) => string
  /** A place on the x axis that is marked by a vertical line. */
  mark?: Mark | undefined
}

const tickSpacePx = 88

/** Lines over a numeric axis, such as prices over time. A picture without controls. */
export function LineChart({ label, xs, lines, isStepped = false, isTime = false, formatX, formatY, mark }: Props) {
  const host = useRef<HTMLDivElement>(null)
  // The canvas is outside React.
  useEffect(() => {
    if (!host.current) return
    return drawLines(host.current, { xs, lines, isStepped, isTime, formatX, formatY, mark })
  }, [xs, lines, isStepped, isTime, formatX, formatY, mark])
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> holds no canvas
    <div role="img" aria-label={label} className="relative">
      <div ref={host} className="line-chart-canvas" />
      {lines.map(({ className }) => (
        <span key={className} hidden data-series className={className} />
      ))}
    </div>
  )
}

type Drawing = Pick<Props, 'xs' | 'lines' | 'formatX' | 'formatY' | 'mark'> & { isStepped: boolean; isTime: boolean }

function drawLines(host: HTMLElement, { xs, lines, isStepped, isTime, formatX, formatY, mark }: Drawing): () => void {
  const { font, color, series } = readColors(host)
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined
  const axis = { font, stroke: () => color('--quiet'), ticks: { show: false } }
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: [8, 24, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: isTime }, y: { range: (_, __, highest) => [0, highest > 0 ? highest * 1.08 : 1] } },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          space: tickSpacePx,
          grid: { show: false },
          values: (_, splits) => splits.map(formatX),
        },
        {
          ...axis,
          size: (_, values) => Math.max(36, ...(values ?? []).map((text) => text.length * 7 + 12)),
          gap: 6,
          space: 32,
          grid: { stroke: () => color('--line'), width: 1 },
          values: (_, splits) => splits.map(formatY),
        },
      ],
      series: [
        {},
        ...lines.map((_, index): uPlot.Series => ({
          stroke: () => series(index),
          width: 2,
          points: { show: false },
          ...(paths && { paths }),
        })),
      ],
      hooks: { draw: [(drawn) => mark && drawMark(drawn, mark, { font, color: color('--text') })] },
    },
    [[...xs], ...lines.map(({ values }) => [...values])],
    host,
  )
  return watchPlot(plot, host)
}
