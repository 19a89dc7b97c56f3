import type { Store } from '../store/store'
import type { TurnKey } from './derive-threads'
import { deriveConversationTurns } from './derive-conversation-turns'
import { ThreadCall, turnRow } from './thread-call'

const selectThreadCalls = `
SELECT id, groupUniqArrayArray(thread_ids) AS all_thread_ids, max(thread_id) AS last_thread_id,
  groupUniqArrayArray(turn_ids) AS all_turn_ids, max(turn_id) AS last_turn_id,
  assumeNotNull(min(started_at)) AS least_start, max(ended_at) AS greatest_end,
  max(is_span) AS is_any_span, max(is_conversation) AS is_any_conversation,
  groupUniqArrayArray(trace_ids) AS all_trace_ids, groupUniqArrayArray(parent_ids) AS all_parent_ids
FROM calls
WHERE project_id = {project_id:String} AND id IN {ids:Array(String)}
GROUP BY id
HAVING (has(all_turn_ids, id) OR is_any_span = 1) AND notEmpty(all_thread_ids) AND min(started_at) IS NOT NULL`

/**
 * Reads back what the store now knows of these calls and writes what of it are turns. The rows are those of the merged
 * calls, so an end without a thread, a part that came twice or one that moves the turn all end the same. Of two
 * writers at once the later to read sees both parts. Answers with the turns that changed.
 */
export async function deriveTurns(store: Store, projectId: string, callIds: readonly string[]): Promise<TurnKey[]> {
  const calls = await store.query(selectThreadCalls, { project_id: projectId, ids: callIds }, ThreadCall, { lane: 'write' })
  const turns = calls
    .filter((call) => call.is_any_conversation === 0 && call.all_turn_ids.includes(call.id))
    .flatMap((call) =>
      call.all_thread_ids.map((threadId) =>
        turnRow(projectId, call, threadId, call.last_turn_id === call.id && call.last_thread_id === threadId),
      ),
    )
  await store.insert('turns', turns)
  const spans = calls.filter((call) => call.is_any_span === 1)
  return spans.length > 0 ? [...turns, ...(await deriveConversationTurns(store, projectId, spans))] : turns
}
