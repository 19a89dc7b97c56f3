import type { Logger } from 'pino'
import type { GrowingClock } from '../lib/growing-clock'
import type { Store } from '../store/store'
import { deriveThreads, type TurnKey } from './derive-threads'
import { deriveTurns } from './derive-turns'
import { writeWatermark } from './watermark'

// From a written call to a thread:
// 1. The call writer inserts rows into `calls` and tells the TurnDeriver which calls they are parts of (`trackWrite`), which
//    gives them their `inserted_at`.
// 2. Shortly after, or as soon as somebody wants to read (`flush`), derive-turns.ts reads these calls back, merged.
// 3. It writes a row to `turns` for each call that is a turn, and retracts rows of calls that are none any more; for spans
//    of OTLP conversations derive-conversation-turns.ts decides that by their parents.
// 4. derive-threads.ts copies the changed turns to `turns_by_start` and computes the rows of their threads in `threads`.
// 5. The watermark is the `inserted_at` before which all calls are derived; at the next start recover-derived.ts derives the later ones again.

/** Calls and changed turns of one project that are stored and wait to be derived from. `since`: the lowest `inserted_at`. */
type Pending = { since: number; callIds: Set<string>; turns: Map<string, TurnKey> }

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
  private readonly insertClock: GrowingClock
  private readonly writesInProgress = new Set<{ since: number }>()
  /** Flushes run one after the other. */
  private current: { projectId: string; since: number } | undefined
  private lastFlush: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private delayMs = minDelayMs
  private watermarkWrittenMs = performance.now()
  private isRecovering = false

  constructor(deps: { store: Store; logger: Logger; insertClock: GrowingClock }) {
    this.store = deps.store
    this.logger = deps.logger
    this.insertClock = deps.insertClock
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

  /**
   * Call it before parts of these calls are inserted, with `insertedAt` (microseconds since 1970) as their `inserted_at`, and
   * `end` afterwards, also when that failed.
   */
  trackWrite(callIdsByProject: ReadonlyMap<string, Iterable<string>>): { insertedAt: number; end: () => void } {
    const write = { since: this.insertClock.next() }
    this.writesInProgress.add(write)
    const end = () => {
      this.writesInProgress.delete(write)
      for (const [projectId, callIds] of callIdsByProject) this.addCalls(projectId, callIds, write.since)
    }
    return { insertedAt: write.since, end }
  }

  /** Adds calls that are stored, none of them with a lower `inserted_at` than `since`. */
  addCalls(projectId: string, callIds: Iterable<string>, since: number): void {
    const pending = this.pendingOf(projectId, since)
    for (const id of callIds) pending.callIds.add(id)
    this.schedule(pending.callIds.size >= callsPerFlush ? 0 : this.delayMs)
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

  private pendingOf(projectId: string, since: number): Pending {
    const pending = this.pending.get(projectId) ?? { since, callIds: new Set(), turns: new Map() }
    pending.since = Math.min(pending.since, since)
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
    this.current = { projectId, since: pending.since }
    const startMs = performance.now()
    try {
      await this.derive(projectId, pending)
    } catch (error) {
      const retry = this.pendingOf(projectId, pending.since)
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
    this.watermarkWrittenMs = performance.now()
    const underived = [...this.writesInProgress, ...this.pending.values(), ...(this.current ? [this.current] : [])]
    // Everything that is tracked later gets a later reading of the clock.
    await writeWatermark(this.store, Math.min(this.insertClock.next(), ...underived.map(({ since }) => since)))
  }
}

function toMapKey({ thread_id, id }: TurnKey): string {
  return `${thread_id}\0${id}`
}
