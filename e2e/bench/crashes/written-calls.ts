import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { SpoolClient } from '../../spool-client'
import {
  createCallGenerator,
  formatBatch,
  formatCompleteCall,
  formatEnd,
  formatStart,
  type GeneratedCall,
} from '../generate-calls'
import { buildSpansRequest } from '../generate-spans'
import { percentileMs } from '../percentiles'
import type { Mistakes, Write, WrittenKind } from './written-kind'

type Acknowledged = { call: GeneratedCall; hasStart: boolean; hasEnd: boolean }

/** Calls in every form, and the turns and threads that follow from them. */
export class WrittenCalls implements WrittenKind {
  readonly name = 'calls'
  readonly weight = 30
  private readonly acknowledged = new Map<string, Acknowledged>()
  private readonly nextCall = createCallGenerator()
  private readonly nextSpan = createCallGenerator()
  private open: GeneratedCall[] = []

  constructor(private readonly projectId: string) {}

  count(): number {
    return this.acknowledged.size
  }

  next(): Write {
    const choice = Math.random()
    if (choice < 0.2) return this.spans()
    if (choice < 0.4) return this.single()
    const starts = this.take(this.nextCall)
    const path = '/call/upsert_batch'
    if (choice < 0.6) {
      const body = formatBatch(starts.map((call) => formatCompleteCall(this.projectId, call)))
      return this.write(`/v2/${this.projectId}/calls/complete`, body, starts, starts)
    }
    const ends = this.open
    this.open = [...starts]
    const parts = [
      ...ends.map((call) => formatEnd(this.projectId, call)),
      ...starts.map((call) => formatStart(this.projectId, call)),
    ]
    return this.write(path, formatBatch(parts), starts, ends)
  }

  async check(client: SpoolClient): Promise<Mistakes> {
    const calls = await this.checkCalls(client)
    const threads = await this.checkThreads(client)
    return { missing: calls.missing + threads.missing, wrong: calls.wrong + threads.wrong }
  }

  /** Acknowledged turns that a list of threads lacks. Turns without a reply may be listed or not. */
  async countMissingTurns(client: SpoolClient): Promise<number> {
    const expected = this.durationsByThread()
    let missing = 0
    for (const threads of await this.readThreads(client)) {
      for (const [threadId, durations] of expected) {
        missing += Math.max(0, durations.length - (threads.get(threadId)?.turn_count ?? 0))
      }
    }
    return missing
  }

  private take(next: () => GeneratedCall): GeneratedCall[] {
    return Array.from({ length: 1 + Math.floor(Math.random() * 30) }, next)
  }

  private single(): Write {
    const call = this.open.pop()
    if (call) return this.write('/call/end', `{"end":${readRequest(formatEnd(this.projectId, call), 'end')}}`, [], [call])
    const started = this.nextCall()
    this.open.push(started)
    return this.write('/call/start', `{"start":${readRequest(formatStart(this.projectId, started), 'start')}}`, [started], [])
  }

  /** Parents and children of a conversation in any order and in different requests: only the topmost is a turn. */
  private spans(): Write {
    const spans = this.take(this.nextSpan).toSorted(() => Math.random() - 0.5)
    return {
      ...this.write('/otel/v1/traces', buildSpansRequest(this.projectId, spans), spans, spans),
      contentType: 'application/x-protobuf',
    }
  }

  private write(path: string, body: string | Buffer, starts: readonly GeneratedCall[], ends: readonly GeneratedCall[]): Write {
    const acknowledge = () => {
      for (const call of starts) this.recordOf(call).hasStart = true
      for (const call of ends) this.recordOf(call).hasEnd = true
    }
    return { path, body, acknowledge, isRepeatable: true }
  }

  private recordOf(call: GeneratedCall): Acknowledged {
    const known = this.acknowledged.get(call.id) ?? { call, hasStart: false, hasEnd: false }
    this.acknowledged.set(call.id, known)
    return known
  }

  private durationsByThread(): Map<string, (number | null)[]> {
    const durations = new Map<string, (number | null)[]>()
    for (const { call, hasStart, hasEnd } of this.acknowledged.values()) {
      if (!hasStart || call.id !== call.turnId) continue
      const own = durations.get(call.threadId) ?? []
      own.push(hasEnd ? call.durationMs : null)
      durations.set(call.threadId, own)
    }
    return durations
  }

  private async checkCalls(client: SpoolClient): Promise<Mistakes> {
    const rows = await client.postLines('/calls/stream_query', { project_id: this.projectId, columns: ['ended_at'] })
    const stored = new Map(rows.map((row) => z.parse(ListedCall, row)).map((row) => [row.id, row.ended_at ?? null]))
    const missing = [...this.acknowledged.values()].filter(({ call, hasStart, hasEnd }) => {
      const endedAt = stored.get(call.id)
      return hasStart && (endedAt === undefined || (hasEnd && endedAt === null))
    })
    return { missing: missing.length, wrong: rows.length - stored.size }
  }

  /** The number of turns and the percentiles of each thread, computed here from what was acknowledged. */
  private async checkThreads(client: SpoolClient): Promise<Mistakes> {
    const expected = this.durationsByThread()
    let wrong = 0
    for (const threads of await this.readThreads(client)) {
      for (const threadId of new Set([...threads.keys(), ...expected.keys()])) {
        const thread = threads.get(threadId)
        const durations = expected.get(threadId) ?? []
        const micros = durations.filter((ms) => ms !== null).map((ms) => ms * 1000)
        const sorted = micros.toSorted((left, right) => left - right)
        const isRight =
          thread?.turn_count === durations.length &&
          thread.p50_turn_duration_ms === percentileMs(sorted, 50) &&
          thread.p99_turn_duration_ms === percentileMs(sorted, 99)
        if (!isRight) wrong += 1
      }
    }
    return { missing: await this.countMissingTurns(client), wrong }
  }

  /** Both ways to list threads: from the summary, and from the turns of a time window. */
  private async readThreads(client: SpoolClient): Promise<Map<string, z.infer<typeof ListedThread>>[]> {
    const filters = [{}, { after_datetime: '1900-01-01T00:00:00Z' }]
    return Promise.all(
      filters.map(async (filter) => {
        const rows = await readWhenDerived(client, { project_id: this.projectId, filter })
        return new Map(rows.map((row) => z.parse(ListedThread, row)).map((row) => [row.thread_id, row]))
      }),
    )
  }
}

const maxDerivationSeconds = 120

/** After a start under load turns may still be computed: the service then asks to try again, and no row is wrong. */
async function readWhenDerived(client: SpoolClient, body: object): Promise<Record<string, unknown>[]> {
  for (let second = 1; ; second += 1) {
    const response = await client.post('/threads/stream_query', body)
    if (response.status !== 503 || second === maxDerivationSeconds) return client.readLines('/threads/stream_query', response)
    await wait(1000)
  }
}

const ListedCall = z.object({ id: z.string(), ended_at: z.optional(z.nullable(z.string())) })
const ListedThread = z.object({
  thread_id: z.string(),
  turn_count: z.number(),
  p50_turn_duration_ms: z.nullable(z.number()),
  p99_turn_duration_ms: z.nullable(z.number()),
})

/** The request of one part of a batch. */
function readRequest(part: string, mode: 'start' | 'end'): string {
  const { req } = JSON.parse(part) as { req: Record<string, unknown> } // written by generate-calls.ts
  return JSON.stringify(req[mode])
}
