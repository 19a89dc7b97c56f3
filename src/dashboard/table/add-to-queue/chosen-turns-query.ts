import { queryOptions } from '@tanstack/react-query'
import { type ReceivedCall, receiveCalls } from '../../../contract/received-call'
import { sampleThreads, type ThreadSample } from '../../../contract/thread-sample'
import type { Connection } from '../../client/connection'
import { endpointQuery, endpointQueryKey } from '../../client/endpoint-query'
import { fetchJson } from '../../client/fetch-json'
import { streamRows } from '../../client/stream-rows'
import { type Evidence, toFilter, type TurnSelection } from './evidence'

type Threads = Extract<Evidence, { kind: 'threads' }>

const countOnly = { size: 0, seed: '' }

/** Query options for how many turns are chosen; of a sample also which. */
export function chosenTurnsQuery(evidence: Threads, selection: TurnSelection, connection: Connection) {
  const { isSample, size, seed, stratifyBy } = selection
  const sample = isSample ? { size, seed, ...(stratifyBy !== 'none' && { stratify_by: stratifyBy }) } : countOnly
  return endpointQuery(sampleThreads, { ...toRequest(evidence, selection, connection), sample }, connection)
}

/** All turns that are chosen, as many as a queue takes. */
export async function readAllTurns(evidence: Threads, selection: TurnSelection, connection: Connection): Promise<ThreadSample> {
  return fetchJson(sampleThreads, toRequest(evidence, selection, connection), { connection })
}

function toRequest(evidence: Threads, selection: TurnSelection, { projectId }: Connection) {
  return { project_id: projectId, filter: toFilter(evidence, selection), turns: selection.turns }
}

/** Query options for the turns of the selected threads where the service takes no samples: from the list of their calls. */
export function listedTurnsQuery({ selectedIds, filter }: Threads, connection: Connection) {
  const input = {
    project_id: connection.projectId,
    filter: { thread_ids: [...selectedIds] },
    columns: ['id', 'turn_id', 'thread_id', 'started_at'],
  }
  return queryOptions({
    queryKey: [
      ...endpointQueryKey(receiveCalls, input, connection),
      'turns',
      filter.after_datetime,
      filter.before_datetime,
    ] as const,
    queryFn: async ({ signal }): Promise<ThreadSample> => {
      const ids: string[] = []
      const threads = new Set<string>()
      for await (const { rows } of streamRows(receiveCalls, input, { connection, signal })) {
        for (const call of rows) {
          if (!isChosen(call, selectedIds, filter)) continue
          ids.push(call.id)
          threads.add(call.thread_id ?? '')
        }
      }
      return { thread_count: threads.size, turn_count: ids.length, strata: [], turn_ids: ids }
    },
    retry: false,
  })
}

/** A service may ignore the filter. */
function isChosen(
  { id, turn_id: turnId, thread_id: threadId, started_at: startedAt }: ReceivedCall,
  selectedIds: readonly string[],
  { after_datetime: after, before_datetime: before }: Threads['filter'],
): boolean {
  if (id !== turnId || !selectedIds.includes(threadId ?? '')) return false
  const startMs = Date.parse(startedAt ?? '')
  return !(after && startMs <= Date.parse(after)) && !(before && startMs >= Date.parse(before))
}
