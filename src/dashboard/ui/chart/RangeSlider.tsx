/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <input type=range> has no bars and chooses no range */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { percent, Plot, type PlotAxes } from './Plot'

/** What every chart along one axis says of its places. */
export type RangeTexts = {
  /** What is shown: "Spend by day". */
  label: string
  /** What the keys do, for screen readers. */
  hint: string
  /** The places from `first` to `last` in words, for screen readers. */
  describe: (first: number, last: number) => string
  renderReadout: (first: number, last: number) => ReactNode
  /** The person chose these places. */
  onSelect: (first: number, last: number) => void
  /** A choice reaches to the last place: "from here on". */
  isOpenEnded?: boolean
}

type Props = RangeTexts & {
  count: number
  axes: PlotAxes
  /** What is drawn between the axes: SVG. */
  children: ReactNode
}

type Range = { anchor: number; head: number }

const minDragPx = 5

/**
 * A chart along one axis. The pointer reads a place out and drags over several to choose them; on the keyboard the chart is a
 * slider: arrows go from place to place, with Shift they choose several, Enter takes them.
 */
export function RangeSlider(props: Props) {
  const { label, hint, count, describe, renderReadout, onSelect, isOpenEnded = false, axes, children } = props
  const hintId = useId()
  const area = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; isDragged: boolean }>(undefined)
  const [range, setRange] = useState<Range>()

  const toIndex = (clientX: number) => {
    if (!area.current) return 0
    const { left, width } = area.current.getBoundingClientRect()
    const position = (clientX - left) / width
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
    // A tap only reads a place out: there is no other way to do that by touch.
    const isChosen = drag.current && (drag.current.isDragged || pointerType !== 'touch')
    drag.current = undefined
    if (isChosen && range) choose(range)
  }
  const toEnds = ({ anchor, head }: Range) => ({
    first: Math.min(anchor, head),
    last: isOpenEnded ? count - 1 : Math.max(anchor, head),
  })
  const choose = (chosen: Range) => {
    setRange(undefined)
    const ends = toEnds(chosen)
    onSelect(ends.first, ends.last)
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
      setRange({ anchor: event.shiftKey && !isOpenEnded ? current.anchor : head, head })
    } else if (event.key === 'Enter') choose(current)
    else if (event.key === 'Escape' && range) setRange(undefined)
    else return
    event.preventDefault()
  }

  // The data may have become shorter.
  const shown = range && range.anchor < count && range.head < count ? range : undefined
  const { first, last } = toEnds(shown ?? { anchor: count - 1, head: count - 1 })
  const isOnRight = (first + (isOpenEnded ? first : last)) / 2 > count / 2
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
        <Plot
          {...axes}
          areaRef={area}
          overlay={
            shown && (
              <>
                <div
                  className="bar-chart-range"
                  style={{ left: percent(first / count), width: percent((last + 1 - first) / count) }}
                />
                <div
                  className="bar-chart-readout"
                  style={
                    isOnRight
                      ? { right: `calc(${percent(1 - first / count)} + 8px)` }
                      : { left: `calc(${percent(((isOpenEnded ? first : last) + 1) / count)} + 8px)` }
                  }
                >
                  {renderReadout(first, last)}
                </div>
              </>
            )
          }
        >
          {children}
        </Plot>
      </div>
      <span id={hintId} hidden>
        {hint}
      </span>
    </div>
  )
}
