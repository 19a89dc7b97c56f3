import * as z from 'zod/mini'
import { type Sql, sql } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { listThreads } from '../../src/service/threads/list-threads'
import { benchProject } from './load-calls'
import { report } from './report'

const project_id = benchProject
const threadsFromCalls = 300

const finishedTurns = sql`
SELECT thread_id, toFloat64(toUnixTimestamp64Micro(assumeNotNull(ended_at)) - toUnixTimestamp64Micro(started_at)) AS micros
FROM turns FINAL WHERE project_id = ${project_id} AND is_retracted = 0 AND ended_at IS NOT NULL`

// From the stored parts of calls, without anything derived.
const finishedTurnsFromCalls = (threadIds: readonly string[]) => sql`
SELECT thread AS thread_id, toFloat64(toUnixTimestamp64Micro(assumeNotNull(end)) - toUnixTimestamp64Micro(assumeNotNull(start))) AS micros
FROM (
  SELECT id, max(thread_id) AS thread, min(started_at) AS start, max(ended_at) AS end
  FROM calls
  WHERE project_id = ${project_id} AND id IN (
    SELECT id FROM calls WHERE project_id = ${project_id} AND thread_id IN ${threadIds} AND turn_id = id)
  GROUP BY id)
WHERE end IS NOT NULL`

const FinishedTurn = z.object({ thread_id: z.string(), micros: z.number() })

/** Compares the percentiles of every listed thread with those computed here by sorting the durations. */
export async function benchPercentiles(store: Store): Promise<boolean> {
  const listed = new Map<string, readonly [number | null, number | null]>()
  for await (const batch of listThreads(store, { project_id })) {
    for (const { thread_id, p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 } of batch) listed.set(thread_id, [p50, p99])
  }
  const windowed = new Map<string, readonly [number | null, number | null]>()
  for await (const batch of listThreads(store, { project_id, filter: { after_datetime: '1900-01-01T00:00:00Z' } })) {
    for (const { thread_id, p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 } of batch) windowed.set(thread_id, [p50, p99])
  }
  const sample = [...listed.keys()].filter((_, index) => index % Math.ceil(listed.size / threadsFromCalls) === 0)
  const all = await durationsByThread(store, finishedTurns)
  const fromCalls = await durationsByThread(store, finishedTurnsFromCalls(sample))
  const differing = (threadIds: Iterable<string>, durations: ReadonlyMap<string, number[]>, given: typeof listed) =>
    [...threadIds].filter((id) => {
      const own = (durations.get(id) ?? []).toSorted((left, right) => left - right)
      const [p50, p99] = given.get(id) ?? []
      return p50 !== percentileMs(own, 50) || p99 !== percentileMs(own, 99)
    }).length
  return report('Exact percentiles', [
    { name: 'threads compared', value: listed.size, unit: '' },
    { name: 'of these differ', value: differing(listed.keys(), all, listed), unit: '', target: { max: 0 } },
    { name: 'differ in a window of everything', value: differing(listed.keys(), all, windowed), unit: '', target: { max: 0 } },
    { name: 'threads compared with their calls', value: sample.length, unit: '' },
    { name: 'of these differ from calls', value: differing(sample, fromCalls, listed), unit: '', target: { max: 0 } },
  ])
}

async function durationsByThread(store: Store, statement: Sql): Promise<Map<string, number[]>> {
  const durations = new Map<string, number[]>()
  for await (const rows of store.stream(statement, FinishedTurn)) {
    for (const { thread_id, micros } of rows) {
      const own = durations.get(thread_id)
      if (own) own.push(Math.max(0, micros))
      else durations.set(thread_id, [Math.max(0, micros)])
    }
  }
  return durations
}

/** Percentile in ms of sorted durations in microseconds, interpolated linearly at rank (n-1)q; null for none. */
export function percentileMs(sorted: readonly number[], hundredths: number): number | null {
  if (sorted.length === 0) return null
  const rank = (sorted.length - 1) * hundredths
  const [low = 0, high = 0] = [sorted[Math.floor(rank / 100)], sorted[Math.ceil(rank / 100)]]
  return (low * (100 - (rank % 100)) + high * (rank % 100)) / 100_000
}
