import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useConnection } from '../../client/connection-context'
import { useUrlState } from '../../table/view/use-url-state'
import { announce } from '../../ui/announce'
import { ignoresLetters } from '../../ui/ignores-letters'
import { findChanges } from '../visit/last-visit'
import { useLastVisit } from '../visit/use-last-visit'
import { buildThreadAxis } from './thread-axis'
import { sortTurns } from './thread-turn'
import { findMarks, type TurnWindow } from './turn-marks'
import { noTurn, turnParams } from './turn-params'
import { turnsQuery } from './turns-query'
import { useHeldTurns } from './use-held-turns'
import { useLiveTurns } from './use-live-turns'

type Options = {
  threadId: string
  /** The figures of the thread cover only turns that started in here. */
  window: TurnWindow | undefined
  /** The turns are read again when the thread changes. */
  isLive: boolean
}

/** The turns of a thread, which of them are open, and the keys that go from one to the next. */
export function useThreadTurns({ threadId, window, isLive }: Options) {
  const connection = useConnection()
  const [view, setView] = useUrlState(turnParams)
  const [openedAt] = useState(() => Date.now())
  const query = useQuery(turnsQuery(threadId, connection))
  const { data, isFetching } = query
  const latest = useMemo(() => sortTurns(data?.rows ?? []), [data?.rows])
  const isComplete = data?.isComplete === true && !data.isTruncated
  const held = useHeldTurns(latest, { isHolding: isLive && data?.isComplete === true, openId: view.turn })
  const { turns, waitingCount } = held
  const live = useLiveTurns({
    threadId,
    isLive,
    isFetching,
    refetch: query.refetch,
    isOpenTurnRunning: latest.some(({ id, status }) => id === view.turn && status === 'running'),
  })
  const sinceMs = useLastVisit(query.dataUpdatedAt || openedAt)
  const changes = useMemo(
    () =>
      findChanges(
        turns.map(({ id, startMs, endMs }) => ({ id, startMs, updatedMs: endMs })),
        sinceMs,
      ),
    [turns, sinceMs],
  )
  const marks = useMemo(() => (isComplete ? findMarks(turns, window) : []), [isComplete, turns, window])
  const axis = useMemo(
    () => buildThreadAxis(turns.flatMap(({ startMs, endMs }) => (startMs === null ? [] : { startMs, endMs }))),
    [turns],
  )
  const [wanted, setWanted] = useState<{ index: number }>()
  const [isPicking, setIsPicking] = useState(false)
  const openIndex = view.turn === '' ? -1 : turns.findIndex(({ id }) => id === view.turn)
  const compareIndex = view.compare === '' ? -1 : turns.findIndex(({ id }) => id === view.compare)

  const open = (index: number) => {
    const turn = turns[index]
    if (!turn) return
    if (isPicking && turn.id !== view.turn) {
      setIsPicking(false)
      setView({ compare: turn.id, call: '' })
      return
    }
    // Replaces the turn before: one step back closes the turn, however many were opened.
    if (turn.id !== view.turn) setView({ ...noTurn, turn: turn.id }, { replace: view.turn !== '' })
    announce(`Turn ${index + 1}`)
  }
  const close = () => {
    setWanted({ index: Math.max(0, openIndex) })
    setView(noTurn)
  }
  const showWaiting = () => {
    held.showWaiting()
    const shown = new Set(turns)
    setWanted({ index: latest.findIndex((turn) => !shown.has(turn)) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (openIndex < 0 || event.defaultPrevented || ignoresLetters(event.target) || event.ctrlKey || event.metaKey || event.altKey)
      return
    if (event.key === 'j') open(openIndex + 1)
    else if (event.key === 'k') open(openIndex - 1)
    else if (event.key !== 'Escape') return
    else if (isPicking) setIsPicking(false)
    else if (compareIndex >= 0) setView({ compare: '' })
    else close()
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    turns,
    /** With those that wait. */
    latest,
    waitingCount,
    live,
    query,
    isComplete,
    marks,
    changes,
    axis,
    view,
    setView,
    openIndex,
    compareIndex,
    wanted,
    setWanted,
    isPicking,
    setIsPicking,
    open,
    close,
    showWaiting,
    onKeyDown,
  }
}

export type ThreadTurnsState = ReturnType<typeof useThreadTurns>
