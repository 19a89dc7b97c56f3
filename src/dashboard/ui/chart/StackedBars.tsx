/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <input type=range> has no bars and chooses no range */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { readColors, watchPlot } from './watch-plot'

/** One value for each bar. `className` sets the custom property `--series`, its colour. */
export type BarSeries = { className: string; values: readonly number[] }

/** Keep the object while nothing changes. */
export type BarLine = { value: number; label: string }

type Props = {
  /** What is shown: "Spend by day". */
  label: string
  /** The labels below the bars, one for each. */
  ticks: readonly string[]
  /** From the bottom to the top of each bar. Keep the array while nothing changes: a new one draws again. */
  series: readonly BarSeries[]
  formatValue: (value: number) => string
  /** A level to compare the bars with. Left out where it is so far above them that they could not be read. */
  line?: BarLine | undefined
  /** The bars from `first` to `last` in words, for screen readers. */
  describe: (first: number, last: number) => string
  renderReadout: (first: number, last: number) => ReactNode
  /** The person chose these bars. */
  onSelect: (first: number, last: number) => void
}

type Range = { anchor: number; head: number }
type Box = { left: number; top: number; width: number; height: number }

const tickSpacePx = 64
const minDragPx = 5
/** Below a line that is higher, bars would be a quarter of the chart. */
const maxLineFactor = 4

/**
 * Stacked bars. The pointer reads a bar out and drags over several to choose them; on the keyboard the chart is a slider:
 * arrows go from bar to bar, with Shift they choose several, Enter takes them.
 */
export function StackedBars({ label, ticks, series, formatValue, line, describe, renderReadout, onSelect }: Props) {
  const hintId = useId()
  const host = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; isDragged: boolean }>(undefined)
  const [box, setBox] = useState<Box>()
  const [range, setRange] = useState<Range>()
  const count = ticks.length

  // The canvas is outside React.
  useEffect(() => {
    if (!host.current) return
    return drawBars(host.current, { ticks, series, formatValue, line, onLayout: setBox })
  }, [ticks, series, formatValue, line])

  const toIndex = (clientX: number) => {
    if (!host.current || !box) return 0
    const position = (clientX - host.current.getBoundingClientRect().left - box.left) / box.width
    return Math.max(0, Math.min(count - 1, Math.floor(position * count)))
  }
  const onPointerMove = ({ clientX, pointerType }: PointerEvent) => {
    const head = toIndex(clientX)
    if (drag.current) {
      drag.current.isDragged ||= Math.abs(clientX - drag.current.x) > minDragPx
      if (drag.current.isDragged) setRange((before) => ({ anchor: before?.anchor ?? head, head }))
    } else if (pointerType !== 'touch') setRange({ anchor: head, head })
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, isDragged: false }
    const index = toIndex(event.clientX)
    setRange({ anchor: index, head: index })
  }
  const onPointerUp = ({ pointerType }: PointerEvent) => {
    // A tap only reads a bar out: there is no other way to do that by touch.
    const isChosen = drag.current && (drag.current.isDragged || pointerType !== 'touch')
    drag.current = undefined
    if (isChosen && range) choose(range)
  }
  const choose = ({ anchor, head }: Range) => {
    setRange(undefined)
    onSelect(Math.min(anchor, head), Math.max(anchor, head))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const current = shown ?? { anchor: count - 1, head: count - 1 }
    const target = {
      ArrowLeft: current.head - 1,
      ArrowDown: current.head - 1,
      ArrowRight: current.head + 1,
      ArrowUp: current.head + 1,
      PageDown: current.head - 7,
      PageUp: current.head + 7,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (target !== undefined) {
      const head = Math.max(0, Math.min(count - 1, target))
      setRange({ anchor: event.shiftKey ? current.anchor : head, head })
    } else if (event.key === 'Enter') choose(current)
    else if (event.key === 'Escape' && range) setRange(undefined)
    else return
    event.preventDefault()
  }

  // The data may have become shorter.
  const shown = range && range.anchor < count && range.head < count ? range : undefined
  const first = shown ? Math.min(shown.anchor, shown.head) : count - 1
  const last = shown ? Math.max(shown.anchor, shown.head) : count - 1
  const toLeft = (index: number) => (box ? box.left + (index / count) * box.width : 0)
  const isOnRight = (first + last) / 2 > count / 2
  return (
    <div className="relative">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(shown?.head ?? count - 1) + 1}
        aria-valuetext={describe(first, last)}
        className="bar-chart"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = undefined
          setRange(undefined)
        }}
        onPointerLeave={({ pointerType }) => {
          if (pointerType !== 'touch' && !drag.current) setRange(undefined)
        }}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setRange((before) => before ?? { anchor: count - 1, head: count - 1 })
        }}
        onBlur={() => setRange(undefined)}
      >
        <div ref={host} aria-hidden="true" className="bar-chart-canvas" />
        {shown && box && (
          <div
            aria-hidden="true"
            className="bar-chart-range"
            style={{ left: toLeft(first), width: toLeft(last + 1) - toLeft(first), top: box.top, height: box.height }}
          />
        )}
      </div>
      {shown && box && (
        <div
          aria-hidden="true"
          className="bar-chart-readout"
          style={isOnRight ? { right: `calc(100% - ${toLeft(first) - 8}px)` } : { left: toLeft(last + 1) + 8 }}
        >
          {renderReadout(first, last)}
        </div>
      )}
      <span id={hintId} hidden>
        Arrow keys go from bar to bar, with Shift they select several. Enter narrows the window to them.
      </span>
      {series.map(({ className }) => (
        <span key={className} hidden data-series className={className} />
      ))}
    </div>
  )
}

type Drawing = Pick<Props, 'ticks' | 'series' | 'formatValue' | 'line'> & { onLayout: (box: Box) => void }

/** Draws into `host` until the returned function is called; again when its size or the theme changes. */
function drawBars(host: HTMLElement, { ticks, series, formatValue, line, onLayout }: Drawing): () => void {
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
