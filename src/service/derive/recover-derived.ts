import * as z from 'zod/mini'
import { groupByProject } from '../lib/group-by-project'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { copyCallStarts } from './rebuild-derived'
import type { TurnDeriver } from './turn-deriver'
import { isAfterWatermark } from './watermark'

/**
 * Derives what the last process may have left undone when it ended: it can stop between writing calls, their turns and
 * their threads. Call it at the start, before anything is served. Deriving something again is harmless.
 */
export async function recoverDerived(store: Store, deriver: TurnDeriver): Promise<void> {
  await deriver.recover(async () => {
    // An insert that was interrupted may have reached `calls` and not its view.
    await store.command(copyCallStarts(isAfterWatermark))
    await deriveCallsAfterWatermark(store, deriver)
    await addTurnsNewerThanThreads(store, deriver)
    await deriver.flushAll()
  })
}

const CallKey = z.object({ project_id: z.string(), id: z.string() })

async function deriveCallsAfterWatermark(store: Store, deriver: TurnDeriver): Promise<void> {
  const statement = sql`
SELECT project_id, id FROM calls WHERE ${isAfterWatermark} GROUP BY project_id, id ORDER BY project_id, id`
  for await (const rows of store.stream(statement, CallKey)) {
    for (const [projectId, calls] of groupByProject(rows, (row) => row.project_id)) {
      const endWrite = deriver.trackWrite(
        projectId,
        calls.map(({ id }) => id),
      )
      endWrite()
      await deriver.waitForCapacity()
    }
  }
}

const ProjectTurnKey = z.object({ project_id: z.string(), thread_id: z.string(), id: z.string() })

async function addTurnsNewerThanThreads(store: Store, deriver: TurnDeriver): Promise<void> {
  const statement = sql`
SELECT project_id, thread_id, id FROM turns
WHERE inserted_at >= (SELECT toDateTime64(max(version) / 1000000000, 6, 'UTC') FROM threads) - INTERVAL 60 SECOND
GROUP BY project_id, thread_id, id ORDER BY project_id, thread_id, id`
  for await (const rows of store.stream(statement, ProjectTurnKey)) {
    for (const [projectId, turns] of groupByProject(rows, (row) => row.project_id)) deriver.addChangedTurns(projectId, turns)
  }
}
