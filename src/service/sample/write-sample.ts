import * as z from 'zod/mini'
import type { CallWriter } from '../ingest/call-writer'
import type { Store } from '../store/store'
import { Random } from './random'
import { callsOfTurn } from './sample-calls'
import { sampleTurns } from './sample-turns'

export const sampleProjectId = 'sample/support-bot'

const seed = 20_261_121
const marker = 'sample project'
const callsPerWrite = 1000
const hourMs = 3_600_000
const Marker = z.object({ value: z.string() })
const Plan = z.object({ endMs: z.number(), isComplete: z.boolean() })

/**
 * Writes the sample project through the ingest path, once per store. The time it ends at is noted before the first
 * row, so a start that was cut short is finished by the next with the very same rows, which merge with the first.
 */
export async function writeSample(store: Store, writer: CallWriter, nowMs: number): Promise<void> {
  const [found] = await store.query('SELECT value FROM markers FINAL WHERE name = {name:String}', { name: marker }, Marker)
  // Rounded, so that copies of the service that start together on one server plan the same rows.
  const plan = found ? Plan.parse(JSON.parse(found.value)) : { endMs: Math.floor(nowMs / hourMs) * hourMs, isComplete: false }
  if (plan.isComplete) return
  if (!found) await note(store, plan, 1)
  const random = new Random(seed)
  const calls = sampleTurns(random, plan.endMs).flatMap((turn) => callsOfTurn(turn, sampleProjectId, random))
  for (let from = 0; from < calls.length; from += callsPerWrite) {
    await writer.write(calls.slice(from, from + callsPerWrite))
  }
  await note(store, { ...plan, isComplete: true }, 2)
}

function note(store: Store, plan: z.infer<typeof Plan>, version: number): Promise<void> {
  return store.insert('markers', [{ name: marker, value: JSON.stringify(plan), version }])
}
