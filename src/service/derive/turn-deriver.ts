import type { Logger } from 'pino'
import type { Store } from '../store/store'
import { deriveThreads, type TurnKey } from './derive-threads'
import { deriveTurns } from './derive-turns'
import { writeWatermark } from './watermark'

// From a written call to a thread:
// 1. The call writer inserts rows into `calls` and tells the TurnDeriver which calls they are parts of (`trackWrite`).
// 2. Shortly after, or as soon as somebody wants to read (`flush`), derive-turns.ts reads these calls back, merged.
// 3. It writes a row to `turns` for each call that is a turn, and retracts rows of calls that are none any more; for spans
//    of OTLP conversations derive-conversation-turns.ts decides that by their parents.
// 4. derive-threads.ts copies the changed turns to `turns_by_start` and computes the rows of their threads in `threads`.
// 5. The watermark says up to when all calls are derived; at the next start recover-derived.ts derives the later ones again.

/** Calls and changed turns of one project that are stored and wait to be derived from, the oldest since `sinceMs`. */
type Pending = { sinceMs: number; callIds: Set<string>; turns: Map<string, TurnKey> }

const minDelayMs = 50
const retryDelayMs = 1000
const watermarkIntervalMs = 10_000
const callsPerStatement = 1000
/** With so many pending calls a project is flushed at once. */
const callsPerFlush = 5000
/** Backpressure: with more pending calls than this in all projects, writers wait. */
const maxPendingCalls = 20_000

/**
 * Keeps `turns`, `turns_by_start` and `threads` up to date with `calls`, with a short delay: a writer does not wait, and
 * many calls of one thread cost a few statements. Call `flush` before reading them: it makes every acknowledged write
 * visible. What is pending when a process ends is derived at the next start.
 */
export class TurnDeriver {
  private readonly store: Store
  private readonly logger: Logger
  private readonly pending = new Map<string, Pending>()
  private readonly writesInProgress = new Set<{ sinceMs: number }>()
  /** Flushes run one after the other. */
  private current: { projectId: string; sinceMs: number } | undefined
  private lastFlush: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private delayMs = minDelayMs
  private watermarkWrittenMs = performance.now()
  private isRecovering = false

  constructor(deps: { store: Store; logger: Logger }) {
    this.store = deps.store
    this.logger = deps.logger
  }

  /**
   * Runs the recovery of a start. The watermark stays where it is until that has succeeded, because the calls that it looks
   * for are not pending here yet.
   */
  async recover(deriveRemaining: () => Promise<void>): Promise<void> {
    this.isRecovering = true
    await deriveRemaining()
    this.isRecovering = false
  }

  /** Call it before parts of these calls are inserted, and the function it returns afterwards, also when that failed. */
  trackWrite(projectId: string, callIds: Iterable<string>): () => void {
    const write = { sinceMs: performance.now() }
    this.writesInProgress.add(write)
    return () => {
      this.writesInProgress.delete(write)
      const pending = this.pendingOf(projectId, write.sinceMs)
      for (const id of callIds) pending.callIds.add(id)
      this.schedule(pending.callIds.size >= callsPerFlush ? 0 : this.delayMs)
    }
  }

  /** Adds turns that are stored already and whose threads have to be computed again. */
  addChangedTurns(projectId: string, turns: Iterable<TurnKey>): void {
    for (const turn of turns) this.pendingOf(projectId, performance.now()).turns.set(toMapKey(turn), turn)
    if (this.pending.has(projectId)) this.schedule(this.delayMs)
  }

  /** Resolves when few enough calls are pending to write more. */
  async waitForCapacity(): Promise<void> {
    const pendingCalls = [...this.pending.values()].reduce((sum, { callIds }) => sum + callIds.size, 0)
    if (pendingCalls > maxPendingCalls) await this.flushAll()
  }

  /** Resolves when everything of the project that was written before is derived. */
  async flush(projectId: string): Promise<void> {
    if (!this.pending.has(projectId) && this.current?.projectId !== projectId) return
    const flush = this.flushAfter(this.lastFlush, projectId)
    this.lastFlush = flush.catch(() => undefined) // who waits for `flush` gets the error
    await flush
  }

  /** The same for all projects. */
  async flushAll(): Promise<void> {
    await Promise.all([...this.pending.keys()].map((projectId) => this.flush(projectId)))
    await this.lastFlush
  }

  async close(): Promise<void> {
    await this.flushAll()
    clearTimeout(this.timer)
    await this.moveWatermark()
  }

  private pendingOf(projectId: string, sinceMs: number): Pending {
    const pending = this.pending.get(projectId) ?? { sinceMs, callIds: new Set(), turns: new Map() }
    pending.sinceMs = Math.min(pending.sinceMs, sinceMs)
    this.pending.set(projectId, pending)
    return pending
  }

  private schedule(delayMs: number): void {
    if (this.timer && delayMs > 0) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flushInBackground(), delayMs)
    this.timer.unref()
  }

  /** Nobody waits for this flush, so its failures are logged here. A flush that fails schedules the next attempt itself. */
  private async flushInBackground(): Promise<void> {
    this.timer = undefined
    const flushes = [...this.pending.keys()].map(async (projectId) => {
      try {
        await this.flush(projectId)
        return true
      } catch (err) {
        const callCount = this.pending.get(projectId)?.callIds.size ?? 0
        this.logger.error({ err, projectId, callCount, retryDelayMs }, 'turns could not be derived, trying again')
        return false
      }
    })
    const isAllDerived = (await Promise.all(flushes)).every(Boolean)
    if (!isAllDerived || performance.now() - this.watermarkWrittenMs < watermarkIntervalMs) return
    try {
      await this.moveWatermark()
    } catch (err) {
      this.logger.error({ err }, 'the watermark of derived calls could not be written')
    }
  }

  private async flushAfter(previous: Promise<void>, projectId: string): Promise<void> {
    await previous
    const pending = this.pending.get(projectId)
    if (!pending) return
    this.pending.delete(projectId)
    this.current = { projectId, sinceMs: pending.sinceMs }
    const startMs = performance.now()
    try {
      await this.derive(projectId, pending)
    } catch (error) {
      const retry = this.pendingOf(projectId, pending.sinceMs)
      for (const id of pending.callIds) retry.callIds.add(id)
      for (const [key, turn] of pending.turns) retry.turns.set(key, turn)
      this.schedule(retryDelayMs)
      throw error
    } finally {
      this.current = undefined
      // Where a thread is so long that computing it takes a while, wait longer: a fifth of one core at most.
      this.delayMs = Math.max(minDelayMs, 4 * (performance.now() - startMs))
    }
  }

  private async derive(projectId: string, { callIds, turns }: Pending): Promise<void> {
    const ids = [...callIds]
    for (let from = 0; from < ids.length; from += callsPerStatement) {
      const changed = await deriveTurns(this.store, projectId, ids.slice(from, from + callsPerStatement))
      // The keys alone are kept: a retry needs no more, and they may be many.
      for (const { thread_id, id } of changed) turns.set(toMapKey({ thread_id, id }), { thread_id, id })
    }
    await deriveThreads(this.store, projectId, [...turns.values()])
  }

  private async moveWatermark(): Promise<void> {
    if (this.isRecovering) return
    const nowMs = performance.now()
    this.watermarkWrittenMs = nowMs
    const underived = [...this.writesInProgress, ...this.pending.values(), ...(this.current ? [this.current] : [])]
    await writeWatermark(this.store, nowMs - Math.min(nowMs, ...underived.map(({ sinceMs }) => sinceMs)))
  }
}

function toMapKey({ thread_id, id }: TurnKey): string {
  return `${thread_id}\0${id}`
}
