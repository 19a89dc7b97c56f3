/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <input type=range> has no grid */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { percent, Plot, type Tick } from './Plot'

/** A part of an axis: 0 is its start, 1 its end. */
type Span = { from: number; to: number }

type Props = {
  label: string
  /** What the keys do, for screen readers. */
  hint: string
  /** From left to right, and from the bottom to the top. */
  columns: readonly Span[]
  rows: readonly Span[]
  columnTicks: readonly Tick[]
  rowTicks: readonly Tick[]
  /** `size`: 0 to 1. A few are a dot, which is seen wherever it is; many fill their place, darker for more. */
  cells: readonly { column: number; row: number; size: number; isFew: boolean }[]
  describe: (column: number, row: number) => string
  renderReadout: (column: number, row: number) => ReactNode
  /** The person chose everything from this column and this row on. */
  onSelect: (column: number, row: number) => void
}

type Place = { column: number; row: number }

const center = ({ from, to }: Span) => (from + to) / 2
const minOpacity = 0.3

/**
 * How many there are on a plane of two axes. A place chooses all that is right of it and above: on the keyboard, arrows
 * move it and Enter takes it.
 */
export function GridChart({
  label,
  hint,
  columns,
  rows,
  columnTicks,
  rowTicks,
  cells,
  describe,
  renderReadout,
  onSelect,
}: Props) {
  const hintId = useId()
  const [place, setPlace] = useState<Place>()
  const area = useRef<HTMLDivElement>(null)
  const tapped = useRef<string>(undefined)
  const lastColumn = columns.length - 1
  const lastRow = rows.length - 1
  // The data may have become smaller.
  const shown = place && place.column <= lastColumn && place.row <= lastRow ? place : undefined
  const current = shown ?? { column: 0, row: 0 }

  const toPlace = ({ clientX, clientY }: PointerEvent): Place => {
    if (!area.current) return { column: 0, row: 0 }
    const { left, top, width, height } = area.current.getBoundingClientRect()
    return { column: findSpan(columns, (clientX - left) / width), row: findSpan(rows, 1 - (clientY - top) / height) }
  }
  const choose = ({ column, row }: Place) => {
    setPlace(undefined)
    onSelect(column, row)
  }
  const onPointerUp = (event: PointerEvent) => {
    const next = toPlace(event)
    const key = `${next.column} ${next.row}`
    // The first tap reads a place out, which a pointer does before it clicks.
    const isChosen = event.pointerType !== 'touch' || tapped.current === key
    tapped.current = key
    if (isChosen) choose(next)
    else setPlace(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = {
      ArrowLeft: { column: current.column - 1 },
      ArrowRight: { column: current.column + 1 },
      ArrowDown: { row: current.row - 1 },
      ArrowUp: { row: current.row + 1 },
      Home: { column: 0, row: 0 },
      End: { column: lastColumn, row: lastRow },
    }[event.key]
    if (move) {
      const { column, row }: Place = { ...current, ...move }
      setPlace({ column: Math.max(0, Math.min(lastColumn, column)), row: Math.max(0, Math.min(lastRow, row)) })
    } else if (event.key === 'Enter') choose(current)
    else if (event.key === 'Escape' && shown) setPlace(undefined)
    else return
    event.preventDefault()
  }

  const left = columns[current.column]?.from ?? 0
  const bottom = rows[current.row]?.from ?? 0
  return (
    <div className="relative">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        aria-valuemin={1}
        aria-valuemax={columns.length * rows.length}
        aria-valuenow={current.row * columns.length + current.column + 1}
        aria-valuetext={describe(current.column, current.row)}
        className="bar-chart"
        onKeyDown={onKeyDown}
        onPointerMove={(event) => event.pointerType !== 'touch' && setPlace(toPlace(event))}
        onPointerUp={onPointerUp}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setPlace(undefined)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setPlace((before) => before ?? current)}
        onBlur={() => setPlace(undefined)}
      >
        <Plot
          xTicks={columnTicks}
          yTicks={rowTicks}
          areaRef={area}
          overlay={
            shown && (
              <>
                <div
                  className="grid-chart-range"
                  style={{ left: percent(left), width: percent(1 - left), height: percent(1 - bottom) }}
                />
                <div
                  className="bar-chart-readout"
                  style={left > 0.5 ? { right: `calc(${percent(1 - left)} + 8px)` } : { left: `calc(${percent(left)} + 8px)` }}
                >
                  {renderReadout(shown.column, shown.row)}
                </div>
              </>
            )
          }
        >
          <g fill="var(--chart-1)" className="grid-chart-cells">
            {cells.map(({ column, row, size, isFew }) => (
              <Cell
                key={`${column} ${row}`}
                column={columns[column] ?? noSpan}
                row={rows[row] ?? noSpan}
                size={size}
                isFew={isFew}
              />
            ))}
          </g>
        </Plot>
      </div>
      <span id={hintId} hidden>
        {hint}
      </span>
    </div>
  )
}

type CellProps = { column: Span; row: Span; size: number; isFew: boolean }

function Cell({ column, row, size, isFew }: CellProps) {
  if (isFew) return <circle cx={percent(center(column))} cy={percent(1 - center(row))} r="3" />
  return (
    <rect
      x={percent(column.from)}
      y={percent(1 - row.to)}
      width={percent(column.to - column.from)}
      height={percent(row.to - row.from)}
      opacity={minOpacity + size * (1 - minOpacity)}
    />
  )
}

const noSpan: Span = { from: 0, to: 0 }

/** The span at a place of the axis, or the next one before it. */
function findSpan(spans: readonly Span[], at: number): number {
  return Math.max(
    0,
    spans.findLastIndex(({ from }) => from <= at),
  )
}
