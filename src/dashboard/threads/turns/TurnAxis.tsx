import { type MouseEvent, type PointerEvent, useMemo, useState } from 'react'
import { formatDuration } from '../../format/duration'
import { formatTime, type TimeZone } from '../../format/instant'
import { formatVisibleText } from '../../format/visible-text'
import { useWidth } from '../calls/use-width'
import { formatPause } from './format-pause'
import { type Label, placeLabels } from './place-labels'
import type { ThreadTurn } from './thread-turn'
import type { ThreadAxis } from './thread-axis'
import { formatStatus } from './TurnStatus'
import type { TurnMark } from './turn-marks'

type Props = {
  turns: readonly ThreadTurn[]
  axis: ThreadAxis
  marks: readonly TurnMark[]
  openIndex: number
  zone: TimeZone
  onOpen: (index: number) => void
}

const barsTop = 16
const barsBottom = 60
const minBarWidth = 2
const minBarHeight = 3
const minMarkedFoldPx = 14
/** The room of a character of a pause, and what stays free on both of its sides: the outline of a turn is 3 px wide. */
const characterPx = 6.5
const pauseAirPx = 16

/**
 * All turns on one time axis: where they lie and, by their height, how long they took. It repeats the list below, so it is for
 * the pointer only.
 */
export function TurnAxis({ turns, axis, marks, openIndex, zone, onOpen }: Props) {
  const [host, width] = useWidth<HTMLDivElement>()
  const [hovered, setHovered] = useState<number>()
  const bars = useMemo(() => placeBars(turns, axis, width), [turns, axis, width])
  const findNearest = ({ clientX, currentTarget }: PointerEvent | MouseEvent) =>
    findNearestBar(bars, clientX - currentTarget.getBoundingClientRect().left)
  const shownIndex = hovered ?? (openIndex >= 0 ? openIndex : undefined)
  const shown = shownIndex === undefined ? undefined : bars[shownIndex]
  return (
    <div ref={host} aria-hidden="true" className="relative select-none">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- keyboards and screen readers use the list */}
      <svg
        // On paper the width is another one.
        viewBox={`0 0 ${width} ${barsBottom + 4}`}
        preserveAspectRatio="none"
        width="100%"
        height={barsBottom + 4}
        className="block cursor-pointer overflow-visible"
        onPointerMove={(event) => setHovered(findNearest(event))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const index = findNearest(event)
          if (index !== undefined) onOpen(index)
        }}
      >
        <rect width={width} height={barsBottom + 4} className="fill-transparent" />
        <path d={`M0 ${barsBottom + 0.5}H${width}`} className="stroke-line" />
        {axis.folds.map(({ fromMs, toMs }) => (
          <FoldedPause
            key={fromMs}
            left={axis.toPosition(fromMs) * width}
            right={axis.toPosition(toMs) * width}
            ms={toMs - fromMs}
          />
        ))}
        {barKinds.map((kind) => (
          <path key={kind} d={toPath(bars, kind)} className={`turn-bars is-${kind}`} />
        ))}
        {shown && <path d={toOutline(shown)} className="turn-outline" />}
        {placeLabels(listLabels(marks, bars), width).map(({ x, names }) => (
          <text key={x} x={x} y={10} textAnchor="middle" className="fill-text text-[11px] font-semibold">
            {names.join(' ')}
          </text>
        ))}
        <path d={toStems(marks, bars)} className="stroke-line-strong [stroke-dasharray:2_2]" />
      </svg>
      <div className="turn-axis-times">
        {hovered === undefined ? (
          <>
            <span>{formatAxisTime(axis.startMs, zone)}</span>
            <span>{formatAxisTime(axis.endMs, zone)}</span>
          </>
        ) : (
          <span className="truncate text-text">{describe(turns[hovered], hovered)}</span>
        )}
      </div>
    </div>
  )
}

type BarKind = 'finished' | 'failed' | 'running'
type Bar = { kind: BarKind; x: number; width: number; height: number }

const barKinds: readonly BarKind[] = ['finished', 'failed', 'running']

/** A bar for each turn that has a place on the axis. */
function placeBars(turns: readonly ThreadTurn[], axis: ThreadAxis, width: number): readonly (Bar | undefined)[] {
  const longestMs = turns.reduce((longest, { durationMs }) => Math.max(longest, durationMs ?? 0), 0)
  const maxHeight = barsBottom - barsTop
  return turns.map(({ startMs, endMs, durationMs, status }) => {
    if (startMs === null) return undefined
    const x = axis.toPosition(startMs) * width
    const barWidth = Math.max(minBarWidth, axis.toPosition(Math.max(startMs, endMs ?? startMs)) * width - x)
    const share = longestMs === 0 ? 0 : (durationMs ?? 0) / longestMs
    return {
      kind: durationMs === null ? 'running' : status === 'error' ? 'failed' : 'finished',
      x: Math.min(x, width - barWidth),
      width: barWidth,
      height: durationMs === null ? maxHeight / 2 : Math.max(minBarHeight, share * maxHeight),
    }
  })
}

/** One path for all bars of a kind: thousands of elements would be slow. */
function toPath(bars: readonly (Bar | undefined)[], kind: BarKind): string {
  return bars.map((bar) => (bar?.kind === kind ? toRectangle(bar) : '')).join('')
}

function toRectangle({ x, width, height }: Bar): string {
  return `M${x.toFixed(1)} ${barsBottom}v${(-height).toFixed(1)}h${width.toFixed(1)}V${barsBottom}Z`
}

/** Around a bar, which keeps its own color. */
function toOutline({ x, width, height, kind }: Bar): string {
  return toRectangle({ kind, x: x - 2, width: width + 4, height: height + 2 })
}

function findNearestBar(bars: readonly (Bar | undefined)[], x: number): number | undefined {
  let nearest: number | undefined
  let least = Infinity
  for (const [index, bar] of bars.entries()) {
    if (!bar) continue
    const distance = Math.max(bar.x - x, x - bar.x - bar.width, 0)
    if (distance < least) [nearest, least] = [index, distance]
  }
  return nearest
}

function FoldedPause({ left, right, ms }: { left: number; right: number; ms: number }) {
  const middle = (left + right) / 2
  const text = formatPause(ms)
  return (
    <>
      {right - left > minMarkedFoldPx && (
        // Two strokes across the axis, as on a broken scale.
        <path d={`M${middle - 4} ${barsBottom + 4}l4 -8M${middle} ${barsBottom + 4}l4 -8`} className="stroke-line-strong" />
      )}
      {right - left > text.length * characterPx + pauseAirPx && (
        <text x={middle} y={barsBottom - 10} textAnchor="middle" className="fill-faint text-[11px]">
          {text}
        </text>
      )}
    </>
  )
}

/** The names of the percentiles above the middle of their bars. */
function listLabels(marks: readonly TurnMark[], bars: readonly (Bar | undefined)[]): Label[] {
  return marks.flatMap(({ name, indexes }) =>
    indexes.flatMap((index) => {
      const bar = bars[index]
      return bar ? { x: bar.x + bar.width / 2, names: [name] } : []
    }),
  )
}

/** A line from each name to its bar. */
function toStems(marks: readonly TurnMark[], bars: readonly (Bar | undefined)[]): string {
  const marked = new Set(marks.flatMap(({ indexes }) => indexes))
  return [...marked]
    .map((index) => {
      const bar = bars[index]
      return bar && bar.height < barsBottom - barsTop ? `M${bar.x + bar.width / 2} 13V${barsBottom - bar.height - 1}` : ''
    })
    .join('')
}

function formatAxisTime(ms: number, zone: TimeZone): string {
  return formatTime(new Date(ms).toISOString(), zone)
}

function describe(turn: ThreadTurn | undefined, index: number): string {
  if (!turn) return ''
  const duration = turn.durationMs === null ? formatStatus(turn.status) : formatDuration(turn.durationMs)
  const text = turn.firstWords ?? turn.name ?? turn.id
  return `Turn ${index + 1} · ${duration} · ${formatVisibleText(text)}`
}
