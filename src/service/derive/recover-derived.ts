import * as z from 'zod/mini'
import { groupByProject } from '../lib/group-by-project'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { copyCallStarts } from './rebuild-derived'
import type { TurnDeriver } from './turn-deriver'
import { isAfterWatermark, openWatermark } from './watermark'

/**
 * Derives what the last process may have left undone when it ended: it can stop between writing calls, their turns and
 * their threads. Call it at the start, before anything is served. Deriving a call again is harmless, and writes all of its
 * turns and their threads again.
 */
export async function recoverDerived(store: Store, deriver: TurnDeriver): Promise<void> {
  await deriver.recover(async () => {
    // An insert that was interrupted may have reached `calls` and not its view.
    const watermark = await openWatermark(store)
    await store.command(copyCallStarts(isAfterWatermark(watermark)))
    await deriveCallsAfterWatermark(store, deriver, watermark)
    await deriver.flushAll()
  })
}

const CallKey = z.object({ project_id: z.string(), id: z.string() })

async function deriveCallsAfterWatermark(store: Store, deriver: TurnDeriver, watermark: number): Promise<void> {
  const statement = sql`
SELECT project_id, id FROM calls WHERE ${isAfterWatermark(watermark)} GROUP BY project_id, id ORDER BY project_id, id`
  for await (const rows of store.stream(statement, CallKey)) {
    for (const [projectId, calls] of groupByProject(rows, (row) => row.project_id)) {
      deriver.addCalls(
        projectId,
        calls.map(({ id }) => id),
        watermark,
      )
      await deriver.waitForCapacity()
    }
  }
}
