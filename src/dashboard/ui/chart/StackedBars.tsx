import { useCallback } from 'react'
import uPlot from 'uplot'
import { drawMark, type Mark } from './draw-mark'
import { type PlotBox, RangeSlider, type RangeTexts } from './RangeSlider'
import { readColors, watchPlot } from './watch-plot'

/** One value for each bar. `className` sets the custom property `--series`, its colour. */
export type BarSeries = { className: string; values: readonly number[] }

/** Keep the object while nothing changes. */
export type BarLine = { value: number; label: string }

type Props = Omit<RangeTexts, 'hint'> & {
  /** The labels below the bars, one for each. */
  ticks: readonly string[]
  /** From the bottom to the top of each bar. Keep the array while nothing changes: a new one draws again. */
  series: readonly BarSeries[]
  formatValue: (value: number) => string
  /** A level to compare the bars with. Left out where it is so far above them that they could not be read. */
  line?: BarLine | undefined
  /** Places along the bars: 0 is the middle of the first one. Keep the array while nothing changes. */
  marks?: readonly Mark[] | undefined
  hint?: string
}

const tickSpacePx = 64
/** Below a line that is higher, bars would be a quarter of the chart. */
const maxLineFactor = 4
const defaultHint = 'Arrow keys go from bar to bar, with Shift they select several. Enter narrows the window to them.'

/** Stacked bars along one axis. */
export function StackedBars({ ticks, series, formatValue, line, marks, hint = defaultHint, ...texts }: Props) {
  const draw = useCallback(
    (host: HTMLElement, onLayout: (box: PlotBox) => void) =>
      drawBars(host, { ticks, series, formatValue, line, marks, onLayout }),
    [ticks, series, formatValue, line, marks],
  )
  return (
    <RangeSlider {...texts} hint={hint} count={ticks.length} draw={draw}>
      {series.map(({ className }) => (
        <span key={className} hidden data-series className={className} />
      ))}
    </RangeSlider>
  )
}

type Drawing = Pick<Props, 'ticks' | 'series' | 'formatValue' | 'line' | 'marks'> & { onLayout: (box: PlotBox) => void }

/** Draws into `host` until the returned function is called; again when its size or the theme changes. */
function drawBars(host: HTMLElement, { ticks, series, formatValue, line, marks = [], onLayout }: Drawing): () => void {
  const count = ticks.length
  const { font, color, series: readSeries } = readColors(host)
  // Each series is drawn from zero, the highest sum first: the lower ones cover its lower part.
  const sums: number[][] = []
  for (const { values } of series) sums.push(values.map((value, index) => value + (sums.at(-1)?.[index] ?? 0)))
  const paths = uPlot.paths.bars?.({ size: [0.82, 48] })
  const plotSeries: uPlot.Series[] = [{}]
  for (const index of sums.keys()) {
    plotSeries.splice(1, 0, {
      fill: () => readSeries(index),
      // A line of the background tells the parts of a bar apart, also where colours are few.
      stroke: () => color('--surface'),
      width: 1,
      points: { show: false },
      ...(paths && { paths }),
    })
  }
  const axis = { font, stroke: () => color('--quiet'), ticks: { show: false } }
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      // The last label is wider than half a bar.
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: {
        x: { time: false, range: [-0.5, count - 0.5] },
        y: {
          range: (_, __, highest) => {
            const top = line && line.value <= highest * maxLineFactor ? Math.max(highest, line.value) : highest
            return [0, top > 0 ? top * 1.04 : 1]
          },
        },
      },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          grid: { show: false },
          splits: ({ width }) => {
            const step = Math.max(1, Math.ceil((count * tickSpacePx) / Math.max(1, width - 56)))
            // From the end: the newest bar is the one that people look for.
            return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).toReversed()
          },
          values: (_, splits) => splits.map((index) => ticks[index] ?? ''),
        },
        {
          ...axis,
          size: (_, values) => Math.max(36, ...(values ?? []).map((text) => text.length * 7 + 12)),
          gap: 6,
          space: 36,
          grid: { stroke: () => color('--line'), width: 1 },
          values: (_, splits) => splits.map(formatValue),
        },
      ],
      series: plotSeries,
      hooks: {
        draw: [
          (drawn) => line && drawLine(drawn, line, { font, color: color('--text') }),
          (drawn) => marks.forEach((mark) => drawMark(drawn, mark, { font, color: color('--text') })),
          ({ bbox }) => {
            const { left, top, width, height } = bbox
            const ratio = devicePixelRatio
            onLayout({ left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio })
          },
        ],
      },
    },
    [ticks.map((_, index) => index), ...sums.toReversed()],
    host,
  )
  return watchPlot(plot, host)
}

function drawLine(plot: uPlot, { value, label }: BarLine, { font, color }: { font: string; color: string }): void {
  const { ctx, bbox } = plot
  const y = Math.round(plot.valToPos(value, 'y', true))
  if (y < bbox.top) return
  const ratio = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.font = font.replace('12px', `${12 * ratio}px`)
  // uPlot leaves the alignment of its labels.
  ctx.textAlign = 'left'
  ctx.textBaseline = y - bbox.top > 16 * ratio ? 'bottom' : 'top'
  ctx.fillText(label, bbox.left + 4 * ratio, y)
  ctx.restore()
}
