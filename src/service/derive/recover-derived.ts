import * as z from 'zod/mini'
import type { Store } from '../store/store'
import { startUnderivedCalls, underivedCalls } from './watermark'
import type { TurnDeriver } from './turn-deriver'
import { groupByProject } from '../lib/group-by-project'

const changedTurns = `
SELECT project_id, thread_id, id FROM turns
WHERE inserted_at >= (SELECT toDateTime64(max(version) / 1000000000, 6, 'UTC') FROM threads) - INTERVAL 60 SECOND
GROUP BY project_id, thread_id, id ORDER BY project_id, thread_id, id`

/**
 * Derives again what a process may have left undone when it ended between writing calls, their turns and their
 * threads. For the start, before anything is served; doing it for nothing is harmless.
 */
export async function recoverDerived(store: Store, summary: TurnDeriver): Promise<void> {
  await summary.recover(() => deriveLeft(store, summary))
}

async function deriveLeft(store: Store, summary: TurnDeriver): Promise<void> {
  await store.command(startUnderivedCalls)
  for await (const rows of store.stream(underivedCalls, {}, z.object({ project_id: z.string(), id: z.string() }))) {
    for (const [projectId, calls] of groupByProject(rows, (row) => row.project_id)) {
      const ids = calls.map(({ id }) => id)
      summary.trackWrite(projectId, ids)()
      await summary.waitForCapacity()
    }
  }
  const TurnKey = z.object({ project_id: z.string(), thread_id: z.string(), id: z.string() })
  for await (const rows of store.stream(changedTurns, {}, TurnKey)) {
    for (const [projectId, turns] of groupByProject(rows, (row) => row.project_id)) summary.addChangedTurns(projectId, turns)
  }
  await summary.flushAll()
}
