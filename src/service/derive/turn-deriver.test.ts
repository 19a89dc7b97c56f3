import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallWriter } from '../ingest/call-writer'
import { renderSql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { GrowingClock } from '../lib/growing-clock'
import { DerivationBehindError } from './derivation-behind-error'
import { patientTimes } from './testing/patient-times'
import { TurnDeriver } from './turn-deriver'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

function turn(projectId: string, id: string) {
  return { project_id: projectId, id, turn_id: id, thread_id: 't', started_at: '2026-01-01T00:00:00Z' }
}

async function countTurns(projectId: string): Promise<number> {
  let turnCount = 0
  for await (const threads of listThreads(place.store, { project_id: projectId })) {
    for (const thread of threads) turnCount += thread.turn_count
  }
  return turnCount
}

function openLog() {
  const entries: Record<string, unknown>[] = []
  return { entries, logger: pino({ level: 'error' }, { write: (line: string) => entries.push(JSON.parse(line)) }) }
}

test('written calls become turns of threads shortly after, and at once when flush is called', async () => {
  const { entries, logger } = openLog()
  const deriver = new TurnDeriver({ store: place.store, insertClock: new GrowingClock(() => Date.now()), logger })
  const writer = new CallWriter(place.store, deriver)
  await writer.write([turn('example/p', 'a')])
  await deriver.flush('example/p')
  expect(await countTurns('example/p')).toBe(1)
  await writer.write([turn('example/p', 'b')])
  await expect.poll(() => countTurns('example/p')).toBe(2)
  await writer.close()
  expect(entries).toEqual([])
})

test('a derivation that fails in the background is logged once, with its projects and count, and tried again', async () => {
  const { entries, logger } = openLog()
  let isFailing = true
  const failing: Store = {
    ...place.store,
    insert: async (table, rows) => {
      if (isFailing && table === 'turns') throw new StoreError('unavailable', 'the disk is full')
      await place.store.insert(table, rows)
    },
  }
  const deriver = new TurnDeriver({ store: failing, insertClock: new GrowingClock(() => Date.now()), logger })
  const writer = new CallWriter(failing, deriver)
  await writer.write([turn('failing/p', 'a'), turn('failing/p', 'b'), turn('failing/q', 'c')])
  await expect.poll(() => entries.length).toBe(1)
  expect(entries).toMatchObject([
    { projectIds: ['failing/p', 'failing/q'], projectCount: 2, callCount: 3, err: { message: 'the disk is full' } },
  ])
  isFailing = false
  await expect.poll(() => countTurns('failing/p')).toBe(2)
  await writer.close()
  expect(entries).toHaveLength(1)
})

function openDeriver(store: Store) {
  const insertClock = new GrowingClock(() => Date.now())
  const deriver = new TurnDeriver({ store, insertClock, logger: openLog().logger, times: patientTimes })
  return { deriver, writer: new CallWriter(store, deriver) }
}

test('calls of many projects are derived together, by few statements', async () => {
  let statements = 0
  const { deriver, writer } = openDeriver({
    ...place.store,
    query: async (...query) => {
      statements += 1
      return place.store.query(...query)
    },
    command: async (...command) => {
      statements += 1
      await place.store.command(...command)
    },
  })
  await writer.write(Array.from({ length: 500 }, (_, index) => turn(`many/p${index}`, 'a')))
  await deriver.flushAll()
  expect(await countTurns('many/p0')).toBe(1)
  expect(await countTurns('many/p499')).toBe(1)
  expect(statements).toBeLessThan(30)
  await writer.close()
})

test('a project whose statement hangs keeps no reader of another project waiting', async () => {
  let finish = () => {}
  const { deriver, writer } = openDeriver({
    ...place.store,
    query: async (statement, ...more) => {
      if (Object.values(renderSql(statement).params).flat().includes('hanging/p')) {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      }
      return place.store.query(statement, ...more)
    },
  })
  await writer.write([turn('hanging/p', 'a')])
  const hanging = deriver.flush('hanging/p')
  await expect(deriver.flush('hanging/p', { maxWaitMs: 100 })).rejects.toBeInstanceOf(DerivationBehindError)
  await writer.write([turn('prompt/p', 'a')])
  await deriver.flush('prompt/p')
  expect(await countTurns('prompt/p')).toBe(1)
  finish()
  await hanging
  expect(await countTurns('hanging/p')).toBe(1)
  await writer.close()
})

test('a project with too many pending calls has no capacity until they are derived; other projects have', async () => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { deriver, writer } = openDeriver({
    ...place.store,
    query: async (statement, ...more) => {
      if (Object.values(renderSql(statement).params).flat().includes('full/p')) await begun
      return place.store.query(statement, ...more)
    },
  })
  const callIds = Array.from({ length: 20_001 }, (_, index) => `call-${index}`)
  deriver.addCalls('full/p', callIds, 1)
  expect(deriver.hasCapacity('full/p')).toBe(false)
  const waiting = writer.write([turn('full/p', 'a')])
  await writer.write([turn('free/p', 'a')])
  expect(deriver.hasCapacity('full/p')).toBe(false)
  begin()
  await waiting
  await deriver.flush('full/p')
  expect(await countTurns('full/p')).toBe(1)
  await writer.close()
})
