import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { findMatchingCalls } from '../../contract/matching-calls'
import type { FindMatchingCalls } from '../../contract/matching-calls-requests'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { formatCount, formatQuantity } from '../format/count'
import { useUrlState } from '../table/view/use-url-state'
import { IconButton } from '../ui/IconButton'
import { moreIcons } from '../ui/more-icons'
import { noTurn, turnParams } from './turns/turn-params'

type Filter = z.input<typeof FindMatchingCalls>['filter']

/** Whether the filter looks for calls. Other filters look at the thread as a whole. */
export function looksForCalls({ text, has_errors, models, op_names, users, is_judged, answers }: Filter): boolean {
  return [text, has_errors, models, op_names, users, is_judged, answers].some(Boolean)
}

/** The calls for which the filter of the list found the thread: opens one after the other. */
export function MatchingCalls({ threadId, filter }: { threadId: string; filter: Filter }) {
  const connection = useConnection()
  const [{ turn: openTurn, call: openCall }, setView] = useUrlState(turnParams)
  const input = { project_id: connection.projectId, thread_id: threadId, filter }
  const { data: found, error } = useQuery({ ...endpointQuery(findMatchingCalls, input, connection), retry: false })
  // Calls are shown in their turns. A few are of none.
  const calls = found?.calls.flatMap(({ id, turn_id: turn }) => (turn === null ? [] : { call: id, turn })) ?? []
  const position = calls.findIndex(({ call }) => call === openCall)
  const open = (index: number) => {
    // From the last to the first, and back.
    const next = calls.at(index % calls.length)
    if (next) setView({ ...noTurn, ...next, tab: 'turns' }, { replace: openTurn !== '' })
  }
  const toText = () => {
    if (error) return `Which calls match the filter could not be read. ${error.message}`
    if (!found) return 'Looking for the calls that match the filter…'
    const reachable = calls.length < found.count ? `, ${formatCount(String(calls.length))} can be opened here` : ''
    const matches =
      position < 0
        ? `${formatQuantity(found.count, 'call matches', 'calls match')} the filter`
        : `Match ${formatCount(String(position + 1))} of ${formatCount(String(found.count))}`
    return matches + reachable
  }
  return (
    <div data-keeps-focus className="flex items-center gap-1 border-b border-line px-4 py-1">
      <output className="mr-auto">{toText()}</output>
      {calls.length > 0 && (
        <>
          <IconButton
            icon={moreIcons.chevronUp}
            label="Previous call that matches"
            onClick={() => open(position < 0 ? -1 : position - 1)}
          />
          <IconButton icon="chevron-down" label="Next call that matches" onClick={() => open(position + 1)} />
        </>
      )}
    </div>
  )
}
