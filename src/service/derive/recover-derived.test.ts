import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { silentLogger } from '../testing/silent-logger'
import { listThreads } from '../threads/list-threads'
import { recoverDerived } from './recover-derived'
import { TurnDeriver } from './turn-deriver'
import { writeWatermark } from './watermark'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

const hourMs = 3_600_000

/** Calls that are their own turn and thread, inserted an hour ago. */
async function insertUnderivedCalls(projectId: string, ids: readonly string[]): Promise<void> {
  const inserted_at = new Date(Date.now() - hourMs).toISOString().replace('T', ' ').slice(0, -1)
  const toCall = (id: string) => ({
    project_id: projectId,
    id,
    turn_id: id,
    turn_ids: [id],
    thread_id: id,
    thread_ids: [id],
    started_at: '2026-01-01 00:00:00',
    inserted_at,
  })
  await place.store.insert('calls', ids.map(toCall))
}

async function readThreadIds(projectId: string): Promise<string[]> {
  const ids = []
  for await (const threads of listThreads(place.store, { project_id: projectId })) {
    ids.push(...threads.map(({ thread_id: id }) => id))
  }
  return ids.toSorted()
}

test('calls that were inserted after the watermark are derived at the start', async () => {
  await writeWatermark(place.store, 2 * hourMs)
  await insertUnderivedCalls('after/p', ['a', 'b'])
  const deriver = new TurnDeriver({ store: place.store, logger: silentLogger })
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('after/p')).toEqual(['a', 'b'])
  await deriver.close()
})

test('a recovery that fails leaves the watermark where it is, so the next one derives the rest', async () => {
  await writeWatermark(place.store, 2 * hourMs)
  await insertUnderivedCalls('twice/p', ['a', 'b'])
  const failing: Store = {
    ...place.store,
    stream: async function* (...query) {
      for await (const rows of place.store.stream(...query)) {
        yield rows.slice(0, 1)
        throw new StoreError('unavailable', 'out of memory')
      }
    },
  }
  const first = new TurnDeriver({ store: place.store, logger: silentLogger })
  await expect(recoverDerived(failing, first)).rejects.toMatchObject({ kind: 'unavailable' })
  await first.close()

  const second = new TurnDeriver({ store: place.store, logger: silentLogger })
  await recoverDerived(place.store, second)
  expect(await readThreadIds('twice/p')).toEqual(['a', 'b'])
  await second.close()
})
