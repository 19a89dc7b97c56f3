import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useConnection } from '../../client/connection-context'
import { lazyPart } from '../../client/lazy-part'
import { maxRowsRead } from '../../client/parse-rows'
import { formatCount } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { usePreferences } from '../../format/preferences'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { LiveState } from '../../table/grid/LiveState'
import { PartFallback } from '../../table/grid/PartFallback'
import { useUrlState } from '../../table/view/use-url-state'
import { announce } from '../../ui/announce'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { Skeleton } from '../../ui/Skeleton'
import { findChanges } from '../visit/last-visit'
import { useLastVisit } from '../visit/use-last-visit'
import { sortTurns, sumTurns, type ThreadTurn } from './thread-turn'
import { buildThreadAxis } from './thread-axis'
import { TurnAxis } from './TurnAxis'
import { TurnComparison } from './TurnComparison'
import { TurnCost, TurnTokens } from './TurnFigures'
import { TurnList } from './TurnList'
import { findMarks, type TurnMark, type TurnWindow } from './turn-marks'
import { PickedCallsBar } from '../pick/PickedCallsBar'
import { noTurn, turnParams } from './turn-params'
import { TurnsUnavailableError, turnsQuery } from './turns-query'
import { TurnView } from './TurnView'
import { useHeldTurns } from './use-held-turns'
import { useLiveTurns } from './use-live-turns'

const TurnDetail = lazyPart(async () => (await import('../calls/TurnDetail')).TurnDetail)

type Props = {
  threadId: string
  /** The figures of the thread cover only turns that started in here. */
  window: TurnWindow | undefined
  /** Beside the list there is room for the open turn. */
  isWide: boolean
  isNarrow: boolean
  /** The turns are read again when the thread changes. */
  isLive: boolean
  /** Stands where there are no turns to show, and beside them while none is open. */
  figures: ReactNode
  /** What can be done with all turns. `isComplete` is false while more may follow. */
  renderTools: (turns: readonly ThreadTurn[], isComplete: boolean) => ReactNode
}

/** The turns of a thread on one time axis, and the open turn with its calls. */
export function ThreadTurns({ threadId, window, isWide, isNarrow, isLive, figures, renderTools }: Props) {
  const connection = useConnection()
  const { zone } = usePreferences()
  const [view, setView] = useUrlState(turnParams)
  const [openedAt] = useState(() => Date.now())
  const query = useQuery(turnsQuery(threadId, connection))
  const { data, error, isFetching } = query
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
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (openIndex < 0 || event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j') open(openIndex + 1)
    else if (event.key === 'k') open(openIndex - 1)
    else if (event.key !== 'Escape') return
    else if (isPicking) setIsPicking(false)
    else if (compareIndex >= 0) setView({ compare: '' })
    else close()
    event.preventDefault()
    event.stopPropagation()
  }

  if (turns.length === 0) {
    return error instanceof TurnsUnavailableError ? (
      <Scrolled>
        <p className="border-b border-line px-4 py-3 text-quiet">This service does not list turns, so there is no time axis.</p>
        {figures}
      </Scrolled>
    ) : error ? (
      <Scrolled>
        <TurnsFailure error={error} refetch={query.refetch} />
        {figures}
      </Scrolled>
    ) : data?.isComplete ? (
      <Scrolled>
        <p className="border-b border-line px-4 py-3 text-quiet">This thread has no turns.</p>
        {figures}
      </Scrolled>
    ) : (
      <output aria-label="Loading the turns" className="block space-y-3 px-4 py-4">
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-4 w-48" />
      </output>
    )
  }

  const isOpen = view.turn !== ''
  const list = (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="px-4 pt-2">
        <TurnsSummary turns={turns} marks={marks} isPartial={!isComplete} live={live} onOpen={open}>
          {renderTools(latest, isComplete)}
        </TurnsSummary>
        {axis && <TurnAxis turns={turns} axis={axis} marks={marks} openIndex={openIndex} zone={zone} onOpen={open} />}
      </div>
      {isPicking && (
        <p className="flex items-center justify-between gap-2 bg-accent-soft px-4 py-1">
          Choose the turn to compare with turn {openIndex + 1}.
          <Button variant="quiet" onClick={() => setIsPicking(false)}>
            Cancel
          </Button>
        </p>
      )}
      {error && <TurnsFailure error={error} refetch={query.refetch} />}
      {data?.isTruncated && (
        <p className="px-4 pb-1 text-warn">{`Only the first ${formatCount(String(maxRowsRead))} turns are shown.`}</p>
      )}
      {data && data.brokenLines.length > 0 && (
        <p className="px-4 pb-1 text-warn">{`${data.brokenLines.length} turns could not be read and are missing here.`}</p>
      )}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <TurnList
          turns={turns}
          axis={axis}
          marks={marks}
          changes={changes}
          window={window}
          zone={zone}
          isNarrow={isNarrow}
          openIndex={openIndex}
          wanted={wanted}
          onWant={setWanted}
          onOpen={open}
        />
        {/* Over the list: nothing moves when turns arrive. */}
        <output className="absolute inset-x-0 bottom-3 flex justify-center empty:hidden">
          {waitingCount > 0 && (
            <Button variant="primary" icon="arrow-down" className="shadow-(--float-shadow)" onClick={showWaiting}>
              {waitingCount === 1 ? '1 new turn' : `${formatCount(String(waitingCount))} new turns`}
            </Button>
          )}
        </output>
      </div>
    </div>
  )
  const detail = !isOpen ? null : openIndex < 0 ? (
    <div className="flex-1 px-4 py-3">
      <p className="mb-2 text-quiet">
        {isFetching ? 'Looking for this turn…' : 'This turn is not among the turns of this thread.'}
      </p>
      <Button onClick={close}>All turns</Button>
    </div>
  ) : (
    <TurnView
      turns={turns}
      index={openIndex}
      marks={marks}
      zone={zone}
      isAlone={!isWide}
      onOpen={open}
      onClose={close}
      onCompare={(index) => setView({ compare: turns[index]?.id ?? '', call: '' })}
      onPickComparison={() => {
        setIsPicking(true)
        setWanted({ index: openIndex })
      }}
    >
      {compareIndex >= 0 ? (
        <TurnComparison
          turns={turns}
          leftIndex={openIndex}
          rightIndex={compareIndex}
          onSwap={() => setView({ turn: view.compare, compare: view.turn })}
          onEnd={() => setView({ compare: '' })}
        />
      ) : (
        <OpenTurn
          turn={turns[openIndex]}
          callId={view.call}
          onOpenCall={(call) => setView({ call }, { replace: view.call !== '' && call !== '' })}
        />
      )}
    </TurnView>
  )
  return (
    // The keys of what is open; each of its parts has its own controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <div className="flex min-h-0 flex-1">
        {(isWide || !isOpen || isPicking) && list}
        {isWide ? (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col border-l border-line">
            {detail ?? <Scrolled>{figures}</Scrolled>}
          </div>
        ) : (
          !isPicking && detail
        )}
      </div>
      <PickedCallsBar />
    </div>
  )
}

function OpenTurn({
  turn,
  callId,
  onOpenCall,
}: {
  turn: ThreadTurn | undefined
  callId: string
  onOpenCall: (id: string) => void
}) {
  if (!turn) return null
  return (
    <Suspense fallback={<PartFallback />}>
      <TurnDetail traceId={turn.traceId ?? ''} turnId={turn.id} callId={callId} onOpenCall={onOpenCall} />
    </Suspense>
  )
}

function Scrolled({ children }: { children: ReactNode }) {
  return <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
}

function TurnsFailure({ error, refetch }: { error: Error; refetch: () => Promise<unknown> }) {
  return (
    <Banner
      tone="bad"
      className="m-4"
      title="The turns could not be read"
      actions={<FailureActions error={error} refetch={refetch} />}
    >
      {formatFailure(error)}
    </Banner>
  )
}

type SummaryProps = {
  turns: readonly ThreadTurn[]
  marks: readonly TurnMark[]
  /** More may follow, so the sums are not those of the thread. */
  isPartial: boolean
  live: 'live' | 'polling' | undefined
  onOpen: (index: number) => void
  /** What can be done with all of them. */
  children: ReactNode
}

/** The sums over all turns, and a way to those that are the percentiles. */
function TurnsSummary({ turns, marks, isPartial, live, onOpen, children }: SummaryProps) {
  const sums = useMemo(() => sumTurns(turns), [turns])
  return (
    <div className="mb-1 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
      <span>
        {isPartial && 'at least '}
        {turns.length === 1 ? '1 turn' : `${formatCount(String(turns.length))} turns`}
      </span>
      {sums.tokens && (
        <span className="text-quiet">
          <TurnTokens tokens={sums.tokens} hasUnit />
        </span>
      )}
      {sums.costs && sums.costs.length > 0 && (
        <span className="text-quiet">
          <TurnCost turn={sums} />
        </span>
      )}
      {live && <LiveState live={live} what="Turns are" />}
      <span className="ml-auto flex flex-wrap items-center justify-end gap-1">{children}</span>
      <span className="flex flex-wrap gap-1">
        {marks.map(({ name, durationMs, indexes }) => (
          <Button key={name} title={formatExactDuration(durationMs)} onClick={() => onOpen(indexes.at(-1) ?? 0)}>
            <span className="font-semibold">{name}</span> {formatDuration(durationMs)}
            <span className="text-quiet">{formatTurnNumbers(indexes)}</span>
          </Button>
        ))}
      </span>
    </div>
  )
}

function formatTurnNumbers(indexes: readonly number[]): string {
  const numbers = indexes.map((index) => index + 1).toSorted((left, right) => left - right)
  return numbers.length === 1 ? `turn ${numbers[0]}` : `turns ${numbers.join(' and ')}`
}
