import type { Store } from '../store/store'
import { turnFigures } from './turn-figures'

// `version` is taken before the statement reads, so of two that run at once the one that began later wins, and every
// turn was in before the statement that was begun for its sake.
const sumUp = `
INSERT INTO threads (project_id, thread_id, turn_count, start_time, last_updated, first_turn_id, last_turn_id,
  p50_turn_duration_ms, p99_turn_duration_ms, version)
SELECT {project_id:String}, thread_id, ${turnFigures}, toUnixTimestamp64Nano(now64(9))
FROM turns FINAL
WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)}
GROUP BY thread_id`

const leastDelayMs = 50
const retryDelayMs = 1000
const threadsPerStatement = 1000

/**
 * Keeps `threads` up to date with `turns`. Summing up is put off for a moment, so that many turns of one thread cost
 * one statement; whoever reads threads calls `flush` first and sees every write that was acknowledged before.
 */
export class ThreadSummary {
  private readonly touched = new Map<string, Set<string>>()
  private running: { projectId: string } | undefined
  private last: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private delayMs = leastDelayMs

  constructor(
    private readonly store: Store,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Says that turns of these threads have changed. */
  touch(projectId: string, threadIds: Iterable<string>): void {
    const ids = this.touched.get(projectId) ?? new Set()
    for (const id of threadIds) ids.add(id)
    if (ids.size === 0) return
    this.touched.set(projectId, ids)
    this.schedule(this.delayMs)
  }

  /** Resolves when every thread of the project that was touched before the call is summed up. */
  async flush(projectId: string): Promise<void> {
    if (!this.touched.has(projectId) && this.running?.projectId !== projectId) return
    const previous = this.last
    const own = this.after(previous, projectId)
    this.last = own.catch(() => undefined)
    await own
  }

  /** The same for every project. */
  async flushAll(): Promise<void> {
    await Promise.all([...this.touched.keys()].map((projectId) => this.flush(projectId)))
    await this.last
  }

  async close(): Promise<void> {
    await this.flushAll()
    clearTimeout(this.timer)
  }

  private schedule(delayMs: number): void {
    if (this.timer) return
    this.timer = setTimeout(() => void this.flushOnTimer(), delayMs)
    this.timer.unref()
  }

  private async flushOnTimer(): Promise<void> {
    this.timer = undefined
    try {
      await this.flushAll()
    } catch {
      this.schedule(retryDelayMs)
    }
  }

  private async after(previous: Promise<void>, projectId: string): Promise<void> {
    await previous
    const threadIds = [...(this.touched.get(projectId) ?? [])]
    if (threadIds.length === 0) return
    this.touched.delete(projectId)
    this.running = { projectId }
    const begunMs = this.nowMs()
    try {
      for (let from = 0; from < threadIds.length; from += threadsPerStatement) {
        const slice = threadIds.slice(from, from + threadsPerStatement)
        // One after the other: side by side they would take the readers' cores.
        await this.store.command(sumUp, { project_id: projectId, thread_ids: slice })
      }
    } catch (error) {
      this.touch(projectId, threadIds)
      throw error
    } finally {
      this.running = undefined
      // Where a thread is so long that summing it up takes a while, it is done less often: a fifth of one core at most.
      this.delayMs = Math.max(leastDelayMs, 4 * (this.nowMs() - begunMs))
    }
  }
}
