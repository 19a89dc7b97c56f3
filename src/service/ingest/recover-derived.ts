import * as z from 'zod/mini'
import type { Store } from '../store/store'
import type { ThreadSummary } from '../threads/thread-summary'
import { byProject } from './by-project'
import { deriveTurns } from './derive-turns'

// What was written in the last minute before the newest derived row may not have been derived from.
const changedCalls = `
SELECT project_id, id FROM calls
WHERE inserted_at >= (SELECT max(inserted_at) FROM turns) - INTERVAL 60 SECOND
GROUP BY project_id, id ORDER BY project_id, id`

const changedTurns = `
SELECT project_id, thread_id, id FROM turns
WHERE inserted_at >= (SELECT toDateTime64(max(version) / 1000000000, 6, 'UTC') FROM threads) - INTERVAL 60 SECOND
GROUP BY project_id, thread_id, id ORDER BY project_id, thread_id, id`

const idsPerStatement = 1000

/**
 * Derives again what a process may have left undone when it ended between writing calls, their turns and their
 * threads. For the start, before anything is served; doing it for nothing is harmless.
 */
export async function recoverDerived(store: Store, summary: ThreadSummary): Promise<void> {
  for await (const rows of store.stream(changedCalls, {}, z.object({ project_id: z.string(), id: z.string() }))) {
    for (const [projectId, calls] of byProject(rows, (row) => row.project_id)) {
      for (let from = 0; from < calls.length; from += idsPerStatement) {
        const ids = calls.slice(from, from + idsPerStatement).map(({ id }) => id)
        summary.touch(projectId, await deriveTurns(store, projectId, ids))
      }
    }
  }
  const TurnKey = z.object({ project_id: z.string(), thread_id: z.string(), id: z.string() })
  for await (const rows of store.stream(changedTurns, {}, TurnKey)) {
    for (const [projectId, turns] of byProject(rows, (row) => row.project_id)) summary.touch(projectId, turns)
  }
  await summary.flushAll()
}
