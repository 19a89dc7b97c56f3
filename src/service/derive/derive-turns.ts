import { keysIn } from '../store/keys-in'
import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import type { CallKey, Derivation } from './derivation'
import { TooManyValuesError } from './derivation-failure'
import { deriveConversationTurns } from './derive-conversation-turns'
import { ThreadCall, toTurnRow } from './thread-call'

/** A call has one thread; a turn moves a few times at most. More values than this cost memory with each new part. */
const maxValuesPerCall = 300
/** A thousand calls have half a megabyte. */
const maxResultBytes = 20 * 1024 * 1024

/**
 * Reads these calls of any projects back from the store and writes their turns. They are one statement, so at most some
 * thousand.
 *
 * Reading back makes the order of arrival irrelevant: an end without a thread, a part that was sent twice and a part that
 * moves the turn to another thread all give the same row. A deleted call is no turn, whatever else its parts say. Of two writers at once, the one that reads later sees all parts.
 */
export async function* deriveTurns(store: Store, calls: readonly CallKey[]): Derivation {
  const threadCalls = await store.query(selectThreadCalls(calls), ThreadCall, { lane: 'write', maxResultBytes })
  for (const call of threadCalls) requireFewValues(call)
  const turns = threadCalls
    .filter((call) => !call.is_any_conversation && call.all_turn_ids.includes(call.id))
    .flatMap((call) =>
      call.all_thread_ids.map((threadId) =>
        toTurnRow(call, threadId, !call.is_deleted && call.max_turn_id === call.id && call.max_thread_id === threadId),
      ),
    )
  await store.insert('turns', turns)
  const spans = threadCalls.filter((call) => call.is_any_span)
  if (spans.length === 0) return { changed: turns }
  yield { changed: turns }
  return yield* deriveConversationTurns(store, spans)
}

function requireFewValues(call: ThreadCall): void {
  for (const values of [call.all_thread_ids, call.all_turn_ids, call.all_trace_ids, call.all_parent_ids]) {
    if (values.length > maxValuesPerCall) throw new TooManyValuesError()
  }
}

function selectThreadCalls(calls: readonly CallKey[]): Sql {
  return sql`
SELECT project_id, id, groupUniqArrayArray(thread_ids) AS all_thread_ids, max(thread_id) AS max_thread_id,
  groupUniqArrayArray(turn_ids) AS all_turn_ids, max(turn_id) AS max_turn_id,
  assumeNotNull(min(started_at)) AS min_start, max(ended_at) AS max_end,
  max(deleted_at) IS NOT NULL AS is_deleted, max(is_span) AS is_any_span, max(is_conversation) AS is_any_conversation,
  groupUniqArrayArray(trace_ids) AS all_trace_ids, groupUniqArrayArray(parent_ids) AS all_parent_ids
FROM calls
WHERE ${keysIn(['project_id', 'id'], calls)}
GROUP BY project_id, id
HAVING (has(all_turn_ids, id) OR is_any_span = 1) AND notEmpty(all_thread_ids) AND min(started_at) IS NOT NULL`
}
