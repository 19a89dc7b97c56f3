import { expect, test } from 'vitest'
import { StoreError } from '../store/store-error'
import type { Sql } from '../store/sql'
import type { Store } from '../store/store'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { writeWatermark } from './watermark'
import { listThreads } from '../threads/list-threads'
import { TurnDeriver } from './turn-deriver'
import { recoverDerived } from './recover-derived'
import { silentLogger } from '../testing/silent-logger'

test('what a start that was cut off midway had not looked at yet is derived at the next one', async () => {
  const place = await openTemporaryStore()
  const hourMs = 3_600_000
  await writeWatermark(place.store, 2 * hourMs)
  const anHourAgo = new Date(Date.now() - hourMs).toISOString().replace('T', ' ').slice(0, -1)
  await place.store.insert(
    'calls',
    ['a', 'b'].map((id) => ({
      project_id: 'cut/p',
      id,
      turn_id: id,
      turn_ids: [id],
      thread_id: id,
      thread_ids: [id],
      started_at: '2026-01-01 00:00:00',
      inserted_at: anHourAgo,
    })),
  )
  const cutOff: Store = {
    ...place.store,
    stream: async function* (...query: readonly unknown[]) {
      for await (const rows of place.store.stream(...(query as [Sql, never]))) {
        yield rows.slice(0, 1)
        throw new StoreError('unavailable', 'out of memory')
      }
    },
  }
  const cutOffSummary = new TurnDeriver({ store: place.store, logger: silentLogger })
  await expect(recoverDerived(cutOff, cutOffSummary)).rejects.toMatchObject({ kind: 'unavailable' })
  await cutOffSummary.close()

  const summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  await recoverDerived(place.store, summary)
  const threads = []
  for await (const batch of listThreads(place.store, { project_id: 'cut/p' })) threads.push(...batch)
  expect(threads.map(({ thread_id: id }) => id).toSorted()).toEqual(['a', 'b'])
  await summary.close()
  await place.remove()
})
