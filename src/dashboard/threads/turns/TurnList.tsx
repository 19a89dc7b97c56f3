import { type FocusEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatTime, type TimeZone } from '../../format/instant'
import { announce } from '../../ui/announce'
import { copyText } from '../../ui/copy-text'
import type { Change } from '../visit/last-visit'
import { listPauses } from './list-pauses'
import type { ThreadTurn } from './thread-turn'
import type { ThreadAxis } from './thread-axis'
import { failureHeight, pauseHeight, rowHeights, TurnRow } from './TurnRow'
import { usePickedCalls } from '../pick/use-picked-calls'
import { groupMarks, isInWindow, type TurnMark, type TurnMatches, type TurnWindow } from './turn-marks'
import { useTurnAnswers } from './use-turn-answers'
import { useTurnWindow } from './use-turn-window'

type Props = {
  turns: readonly ThreadTurn[]
  axis: ThreadAxis | undefined
  marks: readonly TurnMark[]
  /** What began or ended since the last visit, by id. */
  changes: ReadonlyMap<string, Change>
  window: TurnWindow | undefined
  /** Not marked where all turns match: a mark on each says nothing. */
  matches: TurnMatches | undefined
  zone: TimeZone
  isNarrow: boolean
  /** -1 while no turn is open. */
  openIndex: number
  /** The turn that takes the focus, such as the one that was just closed. Another object takes it again. */
  wanted: { index: number } | undefined
  onWant: (wanted: { index: number }) => void
  onOpen: (index: number) => void
}

const turnsPerPageKey = 10

/**
 * The turns in the order of time, with the pauses between them. Only what is near the visible part is rendered. Arrows, Home,
 * End and the page keys move, j and k too; Enter opens, Space selects, c copies the id.
 */
export function TurnList({
  turns,
  axis,
  marks,
  changes,
  window,
  matches,
  zone,
  isNarrow,
  openIndex,
  wanted,
  onWant,
  onOpen,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [tabStop, setTabStop] = useState(wanted?.index ?? Math.max(0, openIndex))
  const pauses = useMemo(() => listPauses(turns), [turns])
  const heights = useMemo(() => turns.map((turn) => toRowHeight(turn, isNarrow)), [turns, isNarrow])
  const offsets = useMemo(() => toOffsets(pauses, heights), [pauses, heights])
  const marksByIndex = useMemo(() => groupMarks(marks), [marks])
  const areAllMatches = useMemo(() => turns.every(({ id }) => matches?.ids.has(id)), [turns, matches])
  const { first, last } = useTurnWindow(scroller, offsets)
  const answers = useTurnAnswers(turns, first)
  const picked = usePickedCalls()
  const pick = (index: number, isRange: boolean) =>
    picked.toggle(
      turns.map(({ id }) => id),
      index,
      isRange,
    )

  const showRow = (index: number) => {
    const { current } = scroller
    const [top = 0, bottom = 0] = [offsets[index], offsets[index + 1]]
    if (!current) return
    if (top < current.scrollTop) current.scrollTop = top
    else if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight
  }
  // A row that takes the focus may not be rendered yet. Focus and scroll position are outside React.
  const latestShowRow = useRef(showRow)
  useEffect(() => {
    latestShowRow.current = showRow
  })
  useEffect(() => {
    if (wanted === undefined) return
    latestShowRow.current(wanted.index)
    scroller.current?.querySelector<HTMLElement>(`[data-turn-index="${wanted.index}"]`)?.focus({ preventScroll: true })
  }, [wanted])
  // The open turn comes into view, also where the address names it or a key goes to the next one.
  useEffect(() => {
    if (openIndex >= 0) latestShowRow.current(openIndex)
  }, [openIndex])

  const focusRow = (index: number) => {
    setTabStop(index)
    onWant({ index })
  }
  const onFocus = ({ target }: FocusEvent) => setTabStop((before) => findRowIndex(target) ?? before)
  const onKeyDown = (event: KeyboardEvent) => {
    const index = findRowIndex(event.target)
    if (index === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const target = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      j: index + 1,
      k: index - 1,
      PageDown: index + turnsPerPageKey,
      PageUp: index - turnsPerPageKey,
      Home: 0,
      End: turns.length - 1,
    }[event.key]
    if (target !== undefined) {
      const next = Math.max(0, Math.min(turns.length - 1, target))
      focusRow(next)
      if (openIndex >= 0 && (event.key === 'j' || event.key === 'k')) onOpen(next)
    } else if (event.key === ' ' && picked.canPick) {
      pick(index, event.shiftKey)
    } else if (event.key === 'c') {
      void copyText(turns[index]?.id ?? '').then((isCopied) => announce(isCopied ? 'Id copied' : 'Copying failed'))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  // The row with the focus stays, however far the list is scrolled: without it the focus would be lost.
  const indexes = new Set([
    tabStop,
    wanted?.index ?? tabStop,
    ...Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
  ])
  return (
    <div ref={scroller} className="min-h-48 flex-1 overflow-y-auto overscroll-contain border-t border-line" data-turn-scroller>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of the buttons in its rows */}
      <ol aria-label="Turns" className="relative" style={{ height: offsets.at(-1) }} onFocus={onFocus} onKeyDown={onKeyDown}>
        {[...indexes]
          .toSorted((left, right) => left - right)
          .map((index) => {
            const turn = turns[index]
            return (
              turn && (
                <TurnRow
                  key={turn.id}
                  turn={turn}
                  index={index}
                  count={turns.length}
                  pause={pauses[index]}
                  top={offsets[index] ?? 0}
                  height={heights[index] ?? 0}
                  isNarrow={isNarrow}
                  marks={marksByIndex.get(index)}
                  change={changes.get(turn.id)}
                  answers={answers.get(turn.id)}
                  match={!areAllMatches && matches?.ids.has(turn.id) ? matches.label : undefined}
                  axis={axis}
                  zone={zone}
                  isNewDay={index > 0 && toDay(turns[index - 1], zone) !== toDay(turn, zone)}
                  isOpen={index === openIndex}
                  isTabStop={index === tabStop}
                  isOutside={!isInWindow(turn, window)}
                  onOpen={onOpen}
                  isPicked={picked.ids.has(turn.id)}
                  onPick={picked.canPick ? pick : undefined}
                />
              )
            )
          })}
      </ol>
    </div>
  )
}

function findRowIndex(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-turn-index]') : null
  return row ? Number(row.dataset['turnIndex']) : undefined
}

function toRowHeight({ failure }: ThreadTurn, isNarrow: boolean): number {
  return (isNarrow ? rowHeights.narrow : rowHeights.normal) + (failure?.message ? failureHeight : 0)
}

function toOffsets(pauses: readonly unknown[], heights: readonly number[]): readonly number[] {
  const offsets = [0]
  let bottom = 0
  for (const [index, pause] of pauses.entries()) {
    bottom += (heights[index] ?? 0) + (pause ? pauseHeight : 0)
    offsets.push(bottom)
  }
  return offsets
}

function toDay(turn: ThreadTurn | undefined, zone: TimeZone): string {
  return turn?.startedAt ? formatTime(turn.startedAt, zone).slice(0, 'yyyy-mm-dd'.length) : ''
}
