import { setImmediate as nextTurn } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createClientStore } from './client-store'
import type { EngineSession } from './engine-session'
import { toLaneLimits } from './lane-limits'
import { createSessionConnection } from './session-connection'
import { SessionPool } from './session-pool'
import { sql } from './sql'

/** A TEST DOUBLE of a session of the engine, whose result is `chunks`. Counts the chunks that were taken. */
function openStoreOf(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  let takenCount = 0
  const session: EngineSession = {
    isOpen: true,
    run: async () => undefined,
    stream: async () => ({ next: async () => chunks[takenCount++], cancel: () => undefined }),
    collect: async () => new TextEncoder().encode('{"id":"collected"}\n'),
    insert: async () => undefined,
    close: () => undefined,
  }
  const openPool = () => {
    const pool = new SessionPool(1, async () => session)
    const toClient = (isCollecting: boolean) => createClient({ connection: createSessionConnection(pool, isCollecting) })
    return { streaming: toClient(false), collecting: toClient(true) }
  }
  const [readers, writers] = [openPool(), openPool()]
  const limits = toLaneLimits(2)
  const clients = {
    readers: readers.streaming,
    writers: writers.streaming,
    collectors: { readers: readers.collecting, writers: writers.collecting },
    control: writers.streaming,
    laneLimits: { read: limits, scan: limits, write: limits },
    scanThreads: undefined,
  }
  return { store: createClientStore(clients, false, 'test'), readTakenCount: () => takenCount }
}

/** As many ids as a block of a stream has, a hundred times. */
const block = `{"id":"0123456789abcdef"}\n`.repeat(2048)
const Row = z.object({ id: z.string() })
const chunks = Array.from({ length: 100 }, () => new TextEncoder().encode(block))

test('of a stream whose reader has stopped, only a few chunks wait in memory', async () => {
  const { store, readTakenCount } = openStoreOf(chunks)
  const batches = store.stream(sql`SELECT id FROM calls`, Row)[Symbol.asyncIterator]()
  const first = await batches.next()
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  expect(readTakenCount()).toBeLessThanOrEqual(5)
  let rowCount = first.done ? 0 : first.value.length
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) rowCount += batch.value.length
  expect(rowCount).toBe(204_800)
})

test('a query that a write waits for does not need the sessions of readers, which stalled streams may all hold', async () => {
  const { store } = openStoreOf(chunks)
  const stalled = store.stream(sql`SELECT id FROM calls`, Row)[Symbol.asyncIterator]()
  await stalled.next()
  expect(await store.query(sql`SELECT id FROM calls`, Row, { lane: 'write' })).toEqual([{ id: 'collected' }])
  await stalled.return?.()
})
