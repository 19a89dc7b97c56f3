import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo } from 'react'
import type * as z from 'zod/mini'
import { findMatchingCalls } from '../../contract/matching-calls'
import type { FindMatchingCalls } from '../../contract/matching-calls-requests'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { formatCount, formatQuantity } from '../format/count'
import { useUrlState } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { moreIcons } from '../ui/more-icons'
import { sortTurns } from './turns/thread-turn'
import type { TurnMatches } from './turns/turn-marks'
import { noTurn, turnParams } from './turns/turn-params'
import { turnsQuery } from './turns/turns-query'

type Filter = z.input<typeof FindMatchingCalls>['filter']

/** Whether the filter looks for calls. Other filters look at the thread as a whole. */
function looksForCalls({ text, has_errors, models, op_names, users, is_judged, answers }: Filter): boolean {
  return [text, has_errors, models, op_names, users, is_judged, answers].some(Boolean)
}

/** The calls for which the filter of the list found the thread, and their turns; undefined where the filter looks for no calls. */
export function useMatchingCalls(threadId: string, filter: Filter, isEnabled: boolean) {
  const connection = useConnection()
  const input = { project_id: connection.projectId, thread_id: threadId, filter }
  const query = { ...endpointQuery(findMatchingCalls, input, connection), retry: false }
  const isAsked = isEnabled && looksForCalls(filter)
  // A window that moves with the time must not take the buttons away.
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData, enabled: isAsked })
  const turns = useMemo(
    (): TurnMatches | undefined =>
      data && {
        ids: new Set(data.calls.map(({ turn_id: turnId }) => turnId)),
        label: data.filters_met < data.filters ? 'matches in part' : 'matches',
      },
    [data],
  )
  return isAsked ? { data, error, refetch, turns } : undefined
}

type Props = { threadId: string; matching: NonNullable<ReturnType<typeof useMatchingCalls>> }

/** Opens the calls that match the filter one after the other. */
export function MatchingCalls({ threadId, matching: { data, error, refetch } }: Props) {
  const [{ turn: openTurn, call: openCall }, setView] = useUrlState(turnParams)
  const calls = data?.calls ?? []
  // Calls are shown in their turns. A few are of none.
  const openable = calls.filter(({ turn_id: turnId }) => turnId !== null).length
  const position = calls.findIndex(({ id }) => id === openCall)
  const turnOrder = useTurnOrder(threadId)
  const step = (by: 1 | -1) => {
    const isInOrBehind = ({ turn_id: turnId }: { turn_id: string | null }) =>
      (turnOrder.get(turnId ?? '') ?? -1) >= (turnOrder.get(openTurn) ?? 0)
    // Without a match that is open: from the turn that is open, or from the first. From the last to the first, and back.
    const found = calls.findIndex(isInOrBehind)
    const place = found < 0 ? calls.length : found
    let index = position >= 0 ? position + by : by > 0 ? place : place - 1
    for (const _ of calls) {
      const call = calls.at(index % calls.length)
      if (call?.turn_id)
        return setView({ ...noTurn, turn: call.turn_id, call: call.id, tab: 'turns' }, { replace: openTurn !== '' })
      index += by
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j') step(1)
    else if (event.key === 'k') step(-1)
    else if (event.key === 'Escape' && openTurn !== '') setView(noTurn)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const toText = () => {
    if (error) return `Which calls match the filter could not be read. ${error.message}`
    if (!data) return 'Looking for the calls that match the filter…'
    const { count, filters, filters_met: met } = data
    const reachable = openable < count ? `, ${formatCount(String(openable))} can be opened here` : ''
    const matches =
      position < 0
        ? `${formatQuantity(count, 'call matches', 'calls match')} ${met < filters ? `${met} of the ${filters} filters` : 'the filter'}`
        : `Match ${formatCount(String(position + 1))} of ${formatCount(String(count))}`
    return matches + reachable
  }
  return (
    // The keys of the buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div data-opens-turns className="flex items-center gap-1 border-b border-line px-4 py-1" onKeyDown={onKeyDown}>
      <output className="mr-auto min-w-0 wrap-anywhere">{toText()}</output>
      {error ? (
        <Button onClick={() => void refetch()}>Try again</Button>
      ) : (
        openable > 0 && (
          <>
            <IconButton icon={moreIcons.chevronUp} label="Previous call that matches (k)" onClick={() => step(-1)} />
            <IconButton icon="chevron-down" label="Next call that matches (j)" onClick={() => step(1)} />
          </>
        )
      )}
    </div>
  )
}

/** The places of the turns that have been read for the view below, by id. */
function useTurnOrder(threadId: string): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...turnsQuery(threadId, useConnection()), enabled: false })
  return useMemo(() => new Map(sortTurns(data?.rows ?? []).map(({ id }, index) => [id, index])), [data?.rows])
}
