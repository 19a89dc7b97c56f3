import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CallWriter } from '../ingest/call-writer'
import { GrowingClock } from '../lib/growing-clock'
import { renderSql, type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { listQuarantined } from './quarantine'
import { recoverDerived } from './recover-derived'
import { patientTimes } from './testing/patient-times'
import { TurnDeriver } from './turn-deriver'
import { openWatermark } from './watermark'

const anyRow = z.object({ id: z.string() })

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeEach(async () => {
  place = await openTemporaryStore()
})
afterEach(() => place.remove())

function turn(projectId: string, id: string, threadId = 't') {
  return { project_id: projectId, id, turn_id: id, thread_id: threadId, started_at: '2026-01-01T00:00:00Z' }
}

function open(store: Store) {
  const entries: Record<string, unknown>[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => entries.push(JSON.parse(line)) })
  const deriver = new TurnDeriver({
    store,
    insertClock: new GrowingClock(() => Date.now()),
    logger,
    times: { ...patientTimes, pausesMs: [10, 20] },
  })
  return { deriver, writer: new CallWriter(store, deriver), entries }
}

/** A store in which a statement fails that names one of these ids, for as long as it is in the set. */
function poisonedStore(poison: ReadonlySet<string>, toError = () => new StoreError('failed', 'a defect', { code: 49 })): Store {
  const check = (statement: Sql) => {
    const values = Object.values(renderSql(statement).params)
    if (values.flat().some((value) => typeof value === 'string' && poison.has(value))) throw toError()
  }
  return {
    ...place.store,
    query: async (statement, ...more) => {
      if (!renderSql(statement).text.includes('quarantined_calls')) check(statement)
      return place.store.query(statement, ...more)
    },
    command: async (statement, ...more) => {
      check(statement)
      await place.store.command(statement, ...more)
    },
  }
}

async function countTurns(projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const threads of listThreads(place.store, { project_id: projectId })) {
    for (const thread of threads) counts[thread.thread_id] = thread.turn_count
  }
  return counts
}

test('a call that cannot be derived is set aside, logged once and listed; all others are derived, and the watermark passes it', async () => {
  const { deriver, writer, entries } = open(poisonedStore(new Set(['poison'])))
  const calls = Array.from({ length: 40 }, (_, index) => turn('one/p', `call-${index}`))
  await writer.write([...calls.slice(0, 13), turn('one/p', 'poison'), ...calls.slice(13), turn('other/p', 'a')])
  await deriver.flush('other/p')
  await deriver.flush('one/p')
  expect(await countTurns('one/p')).toEqual({ t: 40 })
  expect(await countTurns('other/p')).toEqual({ t: 1 })
  expect(await listQuarantined(place.store)).toMatchObject({
    count: 1,
    latest: [{ project_id: 'one/p', call_id: 'poison', thread_id: null, reason: 'The store cannot compute it (error 49).' }],
  })
  expect(entries).toMatchObject([{ level: 50, projectId: 'one/p', id: 'poison' }])
  const before = await openWatermark(place.store)
  await writer.close()
  expect(await openWatermark(place.store)).toBeGreaterThan(before)
  const [stored] = await place.store.query(sql`SELECT id FROM calls WHERE id = 'poison'`, anyRow)
  expect(stored).toEqual({ id: 'poison' })
})

test('a new part of a call that was set aside makes it tried again, and it is released when that succeeds', async () => {
  const poison = new Set(['poison'])
  const { deriver, writer } = open(poisonedStore(poison))
  await writer.write([turn('again/p', 'poison'), turn('again/p', 'b')])
  await deriver.flush('again/p')
  await writer.write([turn('again/p', 'poison')])
  await deriver.flush('again/p')
  expect(await listQuarantined(place.store)).toMatchObject({ count: 1 })
  poison.clear()
  await writer.write([turn('again/p', 'poison')])
  await deriver.flush('again/p')
  expect(await countTurns('again/p')).toEqual({ t: 2 })
  expect(await listQuarantined(place.store)).toEqual({ count: 0, latest: [] })
  await writer.close()
})

test('a thread that cannot be computed is set aside, and catches up with all its turns later', async () => {
  const poison = new Set(['poison'])
  const { deriver, writer } = open(poisonedStore(poison))
  await writer.write([turn('thread/p', 'a', 'poison'), turn('thread/p', 'b', 'poison'), turn('thread/p', 'c', 'fine')])
  await deriver.flush('thread/p')
  expect(await countTurns('thread/p')).toEqual({ fine: 1 })
  expect(await listQuarantined(place.store)).toMatchObject({ latest: [{ call_id: null, thread_id: 'poison' }] })
  poison.clear()
  await writer.write([turn('thread/p', 'd', 'poison')])
  await deriver.flush('thread/p')
  expect(await countTurns('thread/p')).toEqual({ fine: 1, poison: 3 })
  const copied = await place.store.query(sql`SELECT id FROM turns_by_start FINAL ORDER BY id`, anyRow)
  expect(copied.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  await writer.close()
})

test('another version of the derivation tries again at its start; the same version does not', async () => {
  const poison = new Set(['poison'])
  const first = open(poisonedStore(poison))
  await first.writer.write([turn('upgrade/p', 'poison')])
  await first.deriver.flush('upgrade/p')
  await first.writer.close()
  const same = open(place.store)
  await recoverDerived(place.store, same.deriver)
  expect(await listQuarantined(place.store)).toMatchObject({ count: 1 })
  await same.writer.close()
  await place.store.command(sql`
INSERT INTO quarantined_calls SELECT * REPLACE (derivation_version + 1 AS derivation_version, revision + 1 AS revision)
FROM quarantined_calls FINAL`)
  const upgraded = open(place.store)
  await recoverDerived(place.store, upgraded.deriver)
  expect(await countTurns('upgrade/p')).toEqual({ t: 1 })
  expect(await listQuarantined(place.store)).toMatchObject({ count: 0 })
  await upgraded.writer.close()
})

test.each([
  ['full disk', () => new StoreError('unavailable', 'no space', { code: 243 })],
  ['statement that waited too long', () => new StoreError('busy', 'too many statements')],
  ['lost connection', () => new StoreError('unavailable', 'no connection (ECONNRESET)')],
])('a %s sets nothing aside', async (_, toError) => {
  const poison = new Set(['a'])
  const { deriver, writer, entries } = open(poisonedStore(poison, toError))
  await writer.write([turn('busy/p', 'a'), turn('busy/p', 'b')])
  await expect(deriver.flush('busy/p')).rejects.toBeInstanceOf(StoreError)
  await expect(deriver.flush('busy/p')).rejects.toBeInstanceOf(StoreError)
  poison.clear()
  await deriver.flush('busy/p')
  expect(await countTurns('busy/p')).toEqual({ t: 2 })
  expect(await listQuarantined(place.store)).toMatchObject({ count: 0 })
  // One line when it begins to fail and one when it succeeds again.
  expect(entries.map(({ level }) => level)).toEqual([50, 30])
  await writer.close()
})

test('a store in which nothing works sets nothing aside, whatever its errors say', async () => {
  let isBroken = true
  const store: Store = {
    ...place.store,
    query: async (...query) => {
      if (isBroken) throw new StoreError('failed', 'a defect', { code: 49 })
      return place.store.query(...query)
    },
  }
  const { deriver, writer } = open(store)
  await writer.write([turn('broken/p', 'a')])
  await expect(deriver.flush('broken/p')).rejects.toMatchObject({ code: 49 })
  isBroken = false
  await deriver.flush('broken/p')
  expect(await countTurns('broken/p')).toEqual({ t: 1 })
  expect(await listQuarantined(place.store)).toMatchObject({ count: 0 })
  await writer.close()
})
