import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { deriveConversationTurns } from './derive-conversation-turns'
import type { TurnKey } from './derive-threads'
import { ThreadCall, toTurnRow } from './thread-call'

/**
 * Reads these calls back from the store and writes their turns. Returns the keys of the turns that may have changed.
 *
 * Reading back makes the order of arrival irrelevant: an end without a thread, a part that was sent twice and a part that
 * moves the turn to another thread all give the same row. Of two writers at once, the one that reads later sees all parts.
 */
export async function deriveTurns(store: Store, projectId: string, callIds: readonly string[]): Promise<TurnKey[]> {
  const calls = await store.query(selectThreadCalls(projectId, callIds), ThreadCall, { lane: 'write' })
  const turns = calls
    .filter((call) => !call.is_any_conversation && call.all_turn_ids.includes(call.id))
    .flatMap((call) =>
      call.all_thread_ids.map((threadId) =>
        toTurnRow(projectId, call, threadId, call.max_turn_id === call.id && call.max_thread_id === threadId),
      ),
    )
  await store.insert('turns', turns)
  const spans = calls.filter((call) => call.is_any_span)
  return spans.length > 0 ? [...turns, ...(await deriveConversationTurns(store, projectId, spans))] : turns
}

function selectThreadCalls(projectId: string, callIds: readonly string[]): Sql {
  return sql`
SELECT id, groupUniqArrayArray(thread_ids) AS all_thread_ids, max(thread_id) AS max_thread_id,
  groupUniqArrayArray(turn_ids) AS all_turn_ids, max(turn_id) AS max_turn_id,
  assumeNotNull(min(started_at)) AS min_start, max(ended_at) AS max_end,
  max(is_span) AS is_any_span, max(is_conversation) AS is_any_conversation,
  groupUniqArrayArray(trace_ids) AS all_trace_ids, groupUniqArrayArray(parent_ids) AS all_parent_ids
FROM calls
WHERE project_id = ${projectId} AND id IN ${callIds}
GROUP BY id
HAVING (has(all_turn_ids, id) OR is_any_span = 1) AND notEmpty(all_thread_ids) AND min(started_at) IS NOT NULL`
}
