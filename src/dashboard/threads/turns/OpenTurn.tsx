import { Suspense } from 'react'
import { lazyPart } from '../../client/lazy-part'
import { usePreferences } from '../../format/preferences'
import { PartFallback } from '../../table/grid/PartFallback'
import { Button } from '../../ui/Button'
import { TurnComparison } from './TurnComparison'
import { TurnView } from './TurnView'
import type { ThreadTurnsState } from './use-thread-turns'

const TurnDetail = lazyPart(async () => (await import('../calls/TurnDetail')).TurnDetail)

type Props = {
  state: ThreadTurnsState
  /** The list is not beside it. */
  isAlone: boolean
}

/** The open turn with its calls, or compared with another one. */
export function OpenTurn({ state, isAlone }: Props) {
  const { zone } = usePreferences()
  const { turns, view, setView, openIndex, compareIndex, open, close } = state
  const turn = turns[openIndex]
  if (!turn) {
    return (
      <div className="flex-1 px-4 py-3">
        <p className="mb-2 text-quiet">
          {state.query.isFetching ? 'Looking for this turn…' : 'This turn is not among the turns of this thread.'}
        </p>
        <Button onClick={close}>All turns</Button>
      </div>
    )
  }
  return (
    <TurnView
      turns={turns}
      isComplete={state.isComplete}
      index={openIndex}
      marks={state.marks}
      zone={zone}
      isAlone={isAlone}
      onOpen={open}
      onClose={close}
      onCompare={(index) => setView({ compare: turns[index]?.id ?? '', call: '' })}
      onOpenCall={(call) => setView({ call, compare: '' })}
      onPickComparison={() => {
        state.setIsPicking(true)
        state.setWanted({ index: openIndex })
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
        <Suspense fallback={<PartFallback />}>
          <TurnDetail
            traceId={turn.traceId ?? ''}
            turnId={turn.id}
            callId={view.call}
            onOpenCall={(call) => setView({ call }, { replace: view.call !== '' && call !== '' })}
          />
        </Suspense>
      )}
    </TurnView>
  )
}
