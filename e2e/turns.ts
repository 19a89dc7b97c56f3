import { randomUUID } from 'node:crypto'
import type { SpoolClient } from './spool-client'

export type TurnSeed = {
  threadId: string
  /** Milliseconds since 1970. */
  startedAt: number
  /** Without it the turn is not finished. */
  durationMs?: number
  /** Tokens by model. */
  usage?: Readonly<Record<string, object>>
}

/** Writes turns, one call each, and returns their ids in the same order. */
export async function writeTurns(client: SpoolClient, projectId: string, turns: readonly TurnSeed[]): Promise<string[]> {
  const ids = turns.map(() => randomUUID())
  const batch = turns.flatMap(({ threadId, startedAt, durationMs, usage }, index) => {
    const id = ids[index]
    const start = {
      project_id: projectId,
      id,
      trace_id: randomUUID(),
      op_name: 'answer',
      started_at: new Date(startedAt).toISOString(),
      thread_id: threadId,
      turn_id: id,
      attributes: {},
      inputs: { question: `Question ${index + 1}` },
    }
    const parts: object[] = [{ mode: 'start', req: { start } }]
    if (durationMs !== undefined) {
      const end = {
        project_id: projectId,
        id,
        ended_at: new Date(startedAt + durationMs).toISOString(),
        summary: usage ? { usage } : {},
        output: 'Answered',
      }
      parts.push({ mode: 'end', req: { end } })
    }
    return parts
  })
  for (let first = 0; first < batch.length; first += 1000) {
    await client.postJson('/call/upsert_batch', { batch: batch.slice(first, first + 1000) })
  }
  return ids
}

/** `count` threads with one finished turn each: `thread-0001` lasts 1 ms, `thread-0002` 2 ms; each starts a second later. */
export function oneTurnThreads(count: number, firstStart: number): TurnSeed[] {
  return Array.from({ length: count }, (_, index) => ({
    threadId: `thread-${String(index + 1).padStart(4, '0')}`,
    startedAt: firstStart + index * 1000,
    durationMs: index + 1,
  }))
}
