import type { ReactNode } from 'react'
import { maxRowsRead } from '../../client/parse-rows'
import { formatCount, formatQuantity } from '../../format/count'
import { usePreferences } from '../../format/preferences'
import { Button } from '../../ui/Button'
import { PickedCallsBar } from '../pick/PickedCallsBar'
import { NoTurns, TurnsFailure } from './NoTurns'
import { OpenTurn } from './OpenTurn'
import type { ThreadTurn } from './thread-turn'
import { TurnAxis } from './TurnAxis'
import { TurnList } from './TurnList'
import type { TurnMatches, TurnWindow } from './turn-marks'
import { TurnsSummary } from './TurnsSummary'
import { useThreadTurns } from './use-thread-turns'

type Props = {
  threadId: string
  /** The figures of the thread cover only turns that started in here. */
  window: TurnWindow | undefined
  matches: TurnMatches | undefined
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
export function ThreadTurns({ threadId, window, matches, isWide, isNarrow, isLive, figures, renderTools }: Props) {
  const { zone } = usePreferences()
  const state = useThreadTurns({ threadId, window, isLive })
  const { turns, waitingCount, isComplete, marks, axis, openIndex, isPicking, open } = state
  const { data, error, refetch } = state.query
  if (turns.length === 0) {
    return (
      <NoTurns error={error} refetch={refetch} isComplete={data?.isComplete === true}>
        {figures}
      </NoTurns>
    )
  }

  const list = (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="@container px-4 pt-2">
        <TurnsSummary turns={turns} marks={marks} isPartial={!isComplete} live={state.live} onOpen={open}>
          {renderTools(state.latest, isComplete)}
        </TurnsSummary>
        {axis && <TurnAxis turns={turns} axis={axis} marks={marks} openIndex={openIndex} zone={zone} onOpen={open} />}
      </div>
      {isPicking && (
        <p className="flex items-center justify-between gap-2 bg-accent-soft px-4 py-1">
          Choose the turn to compare with turn {openIndex + 1}.
          <Button variant="quiet" onClick={() => state.setIsPicking(false)}>
            Cancel
          </Button>
        </p>
      )}
      {error && <TurnsFailure error={error} refetch={refetch} />}
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
          changes={state.changes}
          window={window}
          matches={matches}
          zone={zone}
          isNarrow={isNarrow}
          openIndex={openIndex}
          wanted={state.wanted}
          onWant={state.setWanted}
          onOpen={open}
        />
        {/* Over the list: nothing moves when turns arrive. */}
        <output className="absolute inset-x-0 bottom-3 flex justify-center empty:hidden">
          {waitingCount > 0 && (
            <Button variant="primary" icon="arrow-down" className="shadow-(--float-shadow)" onClick={state.showWaiting}>
              {formatQuantity(waitingCount, 'new turn')}
            </Button>
          )}
        </output>
      </div>
    </div>
  )
  const isOpen = state.view.turn !== ''
  const detail = isOpen && <OpenTurn state={state} isAlone={!isWide} />
  return (
    // The keys of what is open; each of its parts has its own controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={state.onKeyDown}>
      <div className="flex min-h-0 flex-1">
        {(isWide || !isOpen || isPicking) && list}
        {isWide ? (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col border-l border-line">
            {detail || <div className="min-h-0 flex-1 overflow-y-auto">{figures}</div>}
          </div>
        ) : (
          !isPicking && detail
        )}
      </div>
      <PickedCallsBar
        turns={turns}
        onCompare={(turn, compare) => {
          state.setIsPicking(false)
          state.setView({ turn, compare, call: '' })
        }}
      />
    </div>
  )
}
