import { deriveTurns } from './derive-turns'
import type { Store } from '../store/store'
import { deriveThreads, type TurnKey } from './derive-threads'
import { saveWatermark } from './watermark'

/** What has been written of a project and not been derived from. */
type Written = { sinceMs: number; callIds: Set<string>; turns: Map<string, TurnKey> }

const leastDelayMs = 50
const retryDelayMs = 1000
const markEveryMs = 10_000
const callsPerStatement = 1000
/** So many calls are not left waiting for a moment that is free. */
const callsWorthAFlush = 5000
/** More are never left waiting: whoever writes waits for them. */
const mostCalls = 20_000

/**
 * Keeps turns, `turns_by_start` and `threads` up to date with the calls. It is put off for a moment, so that no writer
 * waits for it and many calls of one thread cost a few statements; whoever reads threads calls `flush` first and sees
 * every write that was acknowledged before. What has not been derived when a process ends is derived at the next start.
 */
export class TurnDeriver {
  private readonly written = new Map<string, Written>()
  /** Begun inserts, by when. */
  private readonly inserting = new Set<{ sinceMs: number }>()
  private running: { projectId: string; sinceMs: number } | undefined
  private last: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private delayMs = leastDelayMs
  private markedMs: number
  /** While a start looks for what was left underived, that is in none of the above. */
  private isRecovering = false

  constructor(
    private readonly store: Store,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.markedMs = nowMs()
  }

  /**
   * For what looks for calls that an earlier process left underived: how far everything is derived is written down again
   * only when it has come to its end.
   */
  async recover(lookForLeft: () => Promise<void>): Promise<void> {
    this.isRecovering = true
    await lookForLeft()
    this.isRecovering = false
  }

  /** Says that parts of these calls are being inserted. What it answers is to be called when they are, or could not be. */
  trackWrite(projectId: string, callIds: Iterable<string>): () => void {
    const inserting = { sinceMs: this.nowMs() }
    this.inserting.add(inserting)
    return () => {
      this.inserting.delete(inserting)
      const { callIds: own } = this.writtenOf(projectId, inserting.sinceMs)
      for (const id of callIds) own.add(id)
      this.schedule(own.size >= callsWorthAFlush ? 0 : this.delayMs)
    }
  }

  /** Says that these turns have changed. */
  addChangedTurns(projectId: string, turns: Iterable<TurnKey>): void {
    for (const turn of turns) this.writtenOf(projectId, this.nowMs()).turns.set(`${turn.thread_id}\0${turn.id}`, turn)
    if (this.written.has(projectId)) this.schedule(this.delayMs)
  }

  /** Resolves when not too much waits to be derived from. */
  async waitForCapacity(): Promise<void> {
    const calls = [...this.written.values()].reduce((sum, { callIds }) => sum + callIds.size, 0)
    if (calls > mostCalls) await this.flushAll()
  }

  /** Resolves when everything of the project that was written before the call is derived from. */
  async flush(projectId: string): Promise<void> {
    if (!this.written.has(projectId) && this.running?.projectId !== projectId) return
    const previous = this.last
    const own = this.after(previous, projectId)
    this.last = own.catch(() => undefined)
    await own
  }

  /** The same for every project. */
  async flushAll(): Promise<void> {
    await Promise.all([...this.written.keys()].map((projectId) => this.flush(projectId)))
    await this.last
  }

  async close(): Promise<void> {
    await this.flushAll()
    clearTimeout(this.timer)
    await this.saveWatermark()
  }

  private writtenOf(projectId: string, sinceMs: number): Written {
    const written = this.written.get(projectId) ?? { sinceMs, callIds: new Set(), turns: new Map() }
    written.sinceMs = Math.min(written.sinceMs, sinceMs)
    this.written.set(projectId, written)
    return written
  }

  private schedule(delayMs: number): void {
    if (this.timer && delayMs > 0) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flushOnTimer(), delayMs)
    this.timer.unref()
  }

  private async flushOnTimer(): Promise<void> {
    this.timer = undefined
    try {
      await this.flushAll()
      if (this.nowMs() - this.markedMs > markEveryMs) await this.saveWatermark()
    } catch {
      this.schedule(retryDelayMs)
    }
  }

  private async after(previous: Promise<void>, projectId: string): Promise<void> {
    await previous
    const written = this.written.get(projectId)
    if (!written) return
    this.written.delete(projectId)
    this.running = { projectId, sinceMs: written.sinceMs }
    const begunMs = this.nowMs()
    try {
      const callIds = [...written.callIds]
      for (let from = 0; from < callIds.length; from += callsPerStatement) {
        for (const turn of await deriveTurns(this.store, projectId, callIds.slice(from, from + callsPerStatement))) {
          written.turns.set(`${turn.thread_id}\0${turn.id}`, { thread_id: turn.thread_id, id: turn.id })
        }
      }
      await deriveThreads(this.store, projectId, [...written.turns.values()])
    } catch (error) {
      const again = this.writtenOf(projectId, written.sinceMs)
      for (const id of written.callIds) again.callIds.add(id)
      for (const [key, turn] of written.turns) again.turns.set(key, turn)
      this.schedule(retryDelayMs)
      throw error
    } finally {
      this.running = undefined
      // Where a thread is so long that summing it up takes a while, it is done less often: a fifth of one core at most.
      this.delayMs = Math.max(leastDelayMs, 4 * (this.nowMs() - begunMs))
    }
  }

  /** Writes down for the next start how far everything is derived. */
  private async saveWatermark(): Promise<void> {
    if (this.isRecovering) return
    const nowMs = this.nowMs()
    this.markedMs = nowMs
    const left = [...this.inserting, ...this.written.values(), ...(this.running ? [this.running] : [])]
    await saveWatermark(this.store, nowMs - Math.min(nowMs, ...left.map(({ sinceMs }) => sinceMs)))
  }
}
