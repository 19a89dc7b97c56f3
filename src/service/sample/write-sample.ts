import * as z from 'zod/mini'
import type { CallSink } from '../ingest/call-writer'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { buildSampleCalls } from './build-sample-calls'
import { buildSampleTurns } from './build-sample-turns'
import { Random } from './random'
import { readSampleTexts } from './sample-texts'

export const sampleProjectId = 'sample/support-bot'

const seed = 20_261_121
const markerName = 'sample project'
const callsPerWrite = 1000
const hourMs = 3_600_000
const Marker = z.object({ value: z.string() })
const Plan = z.object({ endMs: z.number(), isComplete: z.boolean() })

/**
 * Writes the sample project through the ingest path, once per store. It saves the end time of the sample before the first
 * row: if a start is interrupted, the next one writes the very same rows again, and they merge with the first.
 */
export async function writeSample(store: Store, writer: CallSink, nowMs: number): Promise<void> {
  const [marker] = await store.query(sql`SELECT value FROM markers FINAL WHERE name = ${markerName}`, Marker)
  // Rounded, so that instances that start together on one ClickHouse server plan the same rows.
  const plan = marker ? Plan.parse(JSON.parse(marker.value)) : { endMs: Math.floor(nowMs / hourMs) * hourMs, isComplete: false }
  if (plan.isComplete) return
  if (!marker) await savePlan(store, plan, 1)
  const random = new Random(seed)
  const turns = buildSampleTurns(readSampleTexts(), random, plan.endMs)
  const calls = turns.flatMap((turn) => buildSampleCalls(turn, sampleProjectId, random))
  for (let start = 0; start < calls.length; start += callsPerWrite) {
    await writer.write(calls.slice(start, start + callsPerWrite))
  }
  await savePlan(store, { ...plan, isComplete: true }, 2)
}

/** The marker with the highest version counts. */
function savePlan(store: Store, plan: z.infer<typeof Plan>, version: number): Promise<void> {
  return store.insert('markers', [{ name: markerName, value: JSON.stringify(plan), version }])
}
