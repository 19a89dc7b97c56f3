import { useCallback } from 'react'
import uPlot from 'uplot'
import { drawMark, type Mark } from './draw-mark'
import { listLogTicks } from './log-ticks'
import { type PlotBox, RangeSlider, type RangeTexts } from './RangeSlider'
import { readColors, watchPlot } from './watch-plot'

/** One value above zero for each interval, null where there is none. `className` sets `--series`, the colour. */
export type TimeLine = { className: string; values: readonly (number | null)[] }

type Props = RangeTexts & {
  /** The labels of the intervals. */
  ticks: readonly string[]
  /** Keep the arrays while nothing changes: new ones draw again. */
  lines: readonly TimeLine[]
  marks: readonly Mark[]
  formatValue: (value: number) => string
}

const tickSpacePx = 72

/** Lines over intervals of time on a logarithmic scale, so that a change of the lower line is seen below the upper one. */
export function TimeLines({ ticks, lines, marks, formatValue, ...texts }: Props) {
  const draw = useCallback(
    (host: HTMLElement, onLayout: (box: PlotBox) => void) => drawLines(host, { ticks, lines, marks, formatValue, onLayout }),
    [ticks, lines, marks, formatValue],
  )
  return (
    <RangeSlider {...texts} count={ticks.length} draw={draw}>
      {lines.map(({ className }) => (
        <span key={className} hidden data-series className={className} />
      ))}
    </RangeSlider>
  )
}

type Drawing = Pick<Props, 'ticks' | 'lines' | 'marks' | 'formatValue'> & { onLayout: (box: PlotBox) => void }

function drawLines(host: HTMLElement, { ticks, lines, marks, formatValue, onLayout }: Drawing): () => void {
  const count = ticks.length
  const { font, color, series } = readColors(host)
  const values = lines.flatMap((line) => line.values.flatMap((value) => (value !== null && value > 0 ? [value] : [])))
  // uPlot's own logarithmic scale is named by a const enum, which a module of its own cannot read.
  const [low, high] = values.length > 0 ? [Math.min(...values) / 1.25, Math.max(...values) * 1.25] : [1, 10]
  const levels = listLogTicks(low, high, 4)
  const axis = { font, stroke: () => color('--quiet'), ticks: { show: false } }
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, range: [-0.5, count - 0.5] }, y: { range: [Math.log10(low), Math.log10(high)] } },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          grid: { show: false },
          splits: ({ width }) => {
            const step = Math.max(1, Math.ceil((count * tickSpacePx) / Math.max(1, width - 56)))
            return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).toReversed()
          },
          values: (_, splits) => splits.map((index) => ticks[index] ?? ''),
        },
        {
          ...axis,
          size: (_, texts) => Math.max(36, ...(texts ?? []).map((text) => text.length * 7 + 12)),
          gap: 6,
          grid: { stroke: () => color('--line'), width: 1 },
          splits: () => levels.map((value) => Math.log10(value)),
          values: () => levels.map(formatValue),
        },
      ],
      series: [
        {},
        ...lines.map((_, index): uPlot.Series => ({
          stroke: () => series(index),
          width: 2,
          points: { show: true, size: 5, fill: () => series(index) },
        })),
      ],
      hooks: {
        draw: [
          (drawn) => marks.forEach((mark) => drawMark(drawn, mark, { font, color: color('--text') })),
          ({ bbox: { left, top, width, height } }) => {
            const ratio = devicePixelRatio
            onLayout({ left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio })
          },
        ],
      },
    },
    [
      ticks.map((_, index) => index),
      ...lines.map((line) => line.values.map((value) => (value !== null && value > 0 ? Math.log10(value) : null))),
    ],
    host,
  )
  return watchPlot(plot, host)
}
