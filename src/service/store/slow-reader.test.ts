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
    collect: async () => new Uint8Array(),
    insert: async () => undefined,
    close: () => undefined,
  }
  const connection = createSessionConnection(new SessionPool(2, async () => session))
  const client = createClient({ connection })
  const limits = toLaneLimits(2)
  const laneLimits = { read: limits, scan: limits, write: limits }
  const clients = { readers: client, writers: client, control: client, laneLimits, scanThreads: undefined }
  return { store: createClientStore(clients, false, 'test'), readTakenCount: () => takenCount }
}

/** As many ids as a block of a stream has, a hundred times. */
const block = `{"id":"0123456789abcdef"}\n`.repeat(2048)
const chunks = Array.from({ length: 100 }, () => new TextEncoder().encode(block))

test('of a stream whose reader has stopped, only a few chunks wait in memory', async () => {
  const { store, readTakenCount } = openStoreOf(chunks)
  const batches = store.stream(sql`SELECT id FROM calls`, z.object({ id: z.string() }))[Symbol.asyncIterator]()
  const first = await batches.next()
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  expect(readTakenCount()).toBeLessThanOrEqual(5)
  let rowCount = first.done ? 0 : first.value.length
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) rowCount += batch.value.length
  expect(rowCount).toBe(204_800)
})
