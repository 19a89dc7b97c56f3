import * as z from 'zod/mini'
import type { Store } from '../store/store'
import type { TouchedTurn } from '../threads/thread-summary'

const selectTurns = `
SELECT id, groupUniqArrayArray(thread_ids) AS all_thread_ids, max(thread_id) AS last_thread_id, max(turn_id) AS last_turn_id,
  assumeNotNull(min(started_at)) AS least_start, max(ended_at) AS greatest_end
FROM calls
WHERE project_id = {project_id:String} AND id IN {ids:Array(String)}
GROUP BY id
HAVING has(groupUniqArrayArray(turn_ids), id) AND notEmpty(all_thread_ids) AND min(started_at) IS NOT NULL`

const MergedCall = z.object({
  id: z.string(),
  all_thread_ids: z.array(z.string()),
  last_thread_id: z.string(),
  last_turn_id: z.string(),
  least_start: z.string(),
  greatest_end: z.nullable(z.string()),
})

/**
 * Reads back what the store now knows of these calls and writes what of it are turns. The rows are those of the merged
 * calls, so an end without a thread, a part that came twice or one that moves the turn all end the same. Of two
 * writers at once the later to read sees both parts. Answers with the turns that changed.
 */
export async function deriveTurns(store: Store, projectId: string, callIds: readonly string[]): Promise<TouchedTurn[]> {
  const calls = await store.query(selectTurns, { project_id: projectId, ids: callIds }, MergedCall, { lane: 'write' })
  const turns = calls.flatMap((call) =>
    call.all_thread_ids.map((threadId) => ({
      project_id: projectId,
      thread_id: threadId,
      id: call.id,
      started_at: call.least_start,
      ended_at: call.greatest_end,
      is_retracted: call.last_turn_id === call.id && call.last_thread_id === threadId ? 0 : 1,
    })),
  )
  await store.insert('turns', turns)
  return turns
}
