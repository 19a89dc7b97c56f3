import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { microsecondsToEngineTime } from '../store/engine-time'
import { renderSql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { silentLogger } from '../testing/silent-logger'
import { listThreads } from '../threads/list-threads'
import { DerivationBehindError } from './derivation-behind-error'
import { recoverDerived } from './recover-derived'
import { patientTimes } from './testing/patient-times'
import { TurnDeriver } from './turn-deriver'
import { openInsertClock, openWatermark } from './watermark'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeEach(async () => {
  place = await openTemporaryStore()
})
afterEach(() => place.remove())

const hourMs = 3_600_000

/** What a new process has, whose clock is `offsetMs` ahead. */
async function openProcess({ offsetMs = 0, store = place.store }: { offsetMs?: number; store?: Store } = {}) {
  const insertClock = await openInsertClock(place.store, () => Date.now() + offsetMs)
  return {
    insertClock,
    deriver: new TurnDeriver({ store, insertClock, logger: silentLogger, times: { ...patientTimes, maxCloseWaitMs: 2000 } }),
  }
}

/** Calls that are their own turn and thread, and are not derived. `insertedAt` is in microseconds since 1970. */
async function insertUnderivedCalls(projectId: string, ids: readonly string[], insertedAt: number): Promise<void> {
  const toCall = (id: string) => ({
    project_id: projectId,
    id,
    turn_id: id,
    turn_ids: [id],
    thread_id: id,
    thread_ids: [id],
    started_at: '2026-01-01 00:00:00',
    inserted_at: microsecondsToEngineTime(insertedAt),
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
  const killed = await openProcess()
  await insertUnderivedCalls('after/p', ['a', 'b'], killed.insertClock.next())
  const { deriver } = await openProcess()
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('after/p')).toEqual(['a', 'b'])
  await deriver.close()
})

test('a deletion that the last process had only stored is derived at the start, and reaches the table of deleted calls', async () => {
  const killed = await openProcess()
  await insertUnderivedCalls('deleted/p', ['a', 'b'], killed.insertClock.next())
  const insertedAt = microsecondsToEngineTime(killed.insertClock.next())
  await place.store.insert('calls', [
    { project_id: 'deleted/p', id: 'a', deleted_at: '2026-01-01 00:00:00', inserted_at: insertedAt },
  ])
  await place.store.command(sql`TRUNCATE TABLE deleted_calls`)
  const { deriver } = await openProcess()
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('deleted/p')).toEqual(['b'])
  const deleted = await place.store.query(sql`SELECT id FROM deleted_calls`, z.object({ id: z.string() }))
  expect(deleted).toEqual([{ id: 'a' }])
  await deriver.close()
})

test('a thread is computed at the start where the last process had stored only its turns', async () => {
  const killed = await openProcess()
  await insertUnderivedCalls('turns/p', ['a'], killed.insertClock.next())
  await place.store.insert('turns', [
    { project_id: 'turns/p', thread_id: 'a', id: 'a', started_at: '2026-01-01 00:00:00', is_retracted: 0 },
  ])
  const { deriver } = await openProcess()
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('turns/p')).toEqual(['a'])
  await deriver.close()
})

test('no call is forgotten when the clock is set back or forth between processes', async () => {
  const threadIds: string[] = []
  for (const [index, hours] of [1, 0, -1, 2, -3].entries()) {
    const { deriver, insertClock } = await openProcess({ offsetMs: hours * hourMs })
    await recoverDerived(place.store, deriver)
    expect(await readThreadIds('shifted/p')).toEqual(threadIds)
    await deriver.close() // moves the watermark
    // The process still writes and is killed before it derives.
    threadIds.push(`thread-${index}`)
    await insertUnderivedCalls('shifted/p', [`thread-${index}`], insertClock.next())
  }
  const { deriver } = await openProcess()
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('shifted/p')).toEqual(threadIds)
  await deriver.close()
})

test('the watermark stays before calls that are being inserted, and before those that are not derived', async () => {
  const { deriver } = await openProcess()
  const start = await openWatermark(place.store)
  const first = deriver.trackWrite(new Map([['busy/p', ['a']]]))
  const second = deriver.trackWrite(new Map([['busy/p', ['b']]]))
  expect(second.insertedAt).toBeGreaterThan(first.insertedAt)
  second.end()
  await deriver.close()
  expect(await openWatermark(place.store)).toBe(first.insertedAt)
  expect(first.insertedAt).toBeGreaterThan(start)
  const next = await openProcess()
  await recoverDerived(place.store, next.deriver)
  await next.deriver.close()
  expect(await openWatermark(place.store)).toBeGreaterThan(second.insertedAt)
  expect(next.insertClock.next()).toBeGreaterThan(await openWatermark(place.store))
})

/** A store that fails in the middle of a recovery for as long as `isFailing` says. */
function failingRecovery(isFailing: () => boolean): Store {
  return {
    ...place.store,
    command: async (statement) => {
      if (renderSql(statement).text.includes('call_starts') && isFailing()) {
        throw new StoreError('unavailable', 'out of memory')
      }
      await place.store.command(statement)
    },
  }
}

test('a recovery that fails is tried again until it succeeds', async () => {
  const killed = await openProcess()
  await insertUnderivedCalls('twice/p', ['a', 'b'], killed.insertClock.next())
  let attempts = 0
  const failing = failingRecovery(() => (attempts += 1) <= 2)
  const { deriver } = await openProcess({ store: failing })
  await recoverDerived(failing, deriver)
  expect(attempts).toBe(3)
  expect(await readThreadIds('twice/p')).toEqual(['a', 'b'])
  await deriver.close()
})

test('a process that ends during the recovery leaves all of it to the next', async () => {
  const killed = await openProcess()
  await insertUnderivedCalls('ended/p', ['a', 'b'], killed.insertClock.next())
  const failing = failingRecovery(() => true)
  const { deriver: first } = await openProcess({ store: failing })
  const recovering = recoverDerived(failing, first)
  await first.close()
  await recovering

  const { deriver: second } = await openProcess()
  await recoverDerived(place.store, second)
  expect(await readThreadIds('ended/p')).toEqual(['a', 'b'])
  await second.close()
})

test('during the recovery only readers of projects that it has to look at wait', async () => {
  const killed = await openProcess()
  await insertUnderivedCalls('waiting/p', ['a'], killed.insertClock.next())
  let isFailing = true
  const failing = failingRecovery(() => isFailing)
  const { deriver } = await openProcess({ store: failing })
  const recovering = recoverDerived(failing, deriver)
  await deriver.flush('other/p')
  await expect(deriver.flush('waiting/p', { maxWaitMs: 300 })).rejects.toBeInstanceOf(DerivationBehindError)
  isFailing = false
  await deriver.flush('waiting/p')
  expect(await readThreadIds('waiting/p')).toEqual(['a'])
  await recovering
  await deriver.close()
})

test('calls that an older version inserted up to a minute before its watermark are derived once more', async () => {
  const nowUs = Date.now() * 1000
  await place.store.insert('markers', [{ name: 'derived until', value: microsecondsToEngineTime(nowUs), version: 1 }])
  await insertUnderivedCalls('older/p', ['30s'], nowUs - 30e6)
  await insertUnderivedCalls('older/p', ['2min'], nowUs - 120e6)
  const { deriver } = await openProcess({ offsetMs: -hourMs })
  await recoverDerived(place.store, deriver)
  expect(await readThreadIds('older/p')).toEqual(['30s'])
  await deriver.close()
  expect(await openWatermark(place.store)).toBeGreaterThan(nowUs - 30e6)
})
