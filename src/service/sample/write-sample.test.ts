import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Thread } from '../../contract/threads'
import { CallWriter } from '../ingest/call-writer'
import { sql } from '../store/sql'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { GrowingClock } from '../lib/growing-clock'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { sampleProjectId, writeSample } from './write-sample'
import { silentLogger } from '../testing/silent-logger'

const now = Date.UTC(2026, 10, 21, 12, 34, 56)
const dayMs = 86_400_000

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let deriver: TurnDeriver
let writer: CallWriter
let threads: Thread[]

async function readThreads(): Promise<Thread[]> {
  await deriver.flush(sampleProjectId)
  const rows: Thread[] = []
  for await (const batch of listThreads(place.store, { project_id: sampleProjectId })) rows.push(...batch)
  return rows
}

beforeAll(async () => {
  place = await openTemporaryStore()
  deriver = new TurnDeriver({
    store: place.store,
    insertClock: new GrowingClock(() => Date.now()),
    logger: silentLogger,
    times: patientTimes,
  })
  writer = new CallWriter(place.store, deriver)
  await writeSample(place.store, writer, now)
  threads = await readThreads()
})

afterAll(async () => {
  await writer.close()
  await place.remove()
})

test('writes at least sixty threads with five hundred turns of the last fourteen days', () => {
  expect(threads.length).toBeGreaterThanOrEqual(60)
  expect(threads.reduce((sum, thread) => sum + thread.turn_count, 0)).toBeGreaterThanOrEqual(500)
  for (const thread of threads) {
    expect(Date.parse(thread.start_time)).toBeGreaterThan(now - 15 * dayMs)
    expect(Date.parse(thread.last_updated)).toBeLessThanOrEqual(now)
  }
})

test('includes the edge cases of a dashboard: one turn, no finished turn, extreme durations, long and unusual ids', () => {
  expect(threads.filter(({ turn_count: count }) => count === 1).length).toBeGreaterThan(2)
  expect(threads.some((thread) => thread.p50_turn_duration_ms === null)).toBe(true)
  expect(threads.some(({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }) => p50! < 20 && p99! > 60_000)).toBe(true)
  expect(threads.some(({ thread_id: id }) => id.length === 300)).toBe(true)
  expect(threads.some(({ thread_id: id }) => id.includes('東京'))).toBe(true)
})

test('includes nested, failed and running calls, and token usage of several models', async () => {
  const [counts] = await place.store.query(
    sql`SELECT toUInt32(count()) AS calls, toUInt32(countIf(parent_id != '')) AS nested,
       toUInt32(countIf(exception IS NOT NULL)) AS failed, toUInt32(countIf(ended_at IS NULL)) AS running
     FROM calls FINAL WHERE project_id = ${sampleProjectId}`,
    z.object({ calls: z.number(), nested: z.number(), failed: z.number(), running: z.number() }),
  )
  expect(counts!.nested).toBeGreaterThan(1000)
  expect(counts!.failed).toBeGreaterThan(10)
  expect(counts!.running).toBeGreaterThan(1)
  const usage = await place.store.query(
    sql`SELECT DISTINCT arrayJoin(JSONExtractKeys(summary, 'usage')) AS model
     FROM calls FINAL WHERE project_id = ${sampleProjectId} ORDER BY model`,
    z.object({ model: z.string() }),
  )
  expect(usage.map(({ model }) => model)).toEqual([
    'claude-sonnet-4-5',
    'gemini-2.5-flash',
    'gpt-4.1',
    'gpt-4o-mini',
    'text-embedding-3-small',
  ])
})

test('a second start writes nothing, and a start after an interrupted one writes the same rows again', async () => {
  await writeSample(place.store, writer, now + dayMs)
  expect(await readThreads()).toEqual(threads)
  await place.store.insert('markers', [
    { name: 'sample project', value: JSON.stringify({ endMs: Date.UTC(2026, 10, 21, 12), isComplete: false }), version: 3 },
  ])
  await writeSample(place.store, writer, now + dayMs)
  expect(await readThreads()).toEqual(threads)
})
