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

// All that `turns` knows of these, so of two at once the later to read writes the sum. A row says of one start whether it
// is still the turn's; taken back it stays so, because a start is only ever replaced by a smaller one.
const copyByStart = `
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT {project_id:String}, arrayJoin(starts) AS start, thread_id, id, greatest_end, start != least_start OR is_away
FROM (
  SELECT thread_id, id, groupUniqArrayArray(started_ats) AS starts, min(started_at) AS least_start,
    max(ended_at) AS greatest_end, max(is_retracted) AS is_away
  FROM turns
  WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)} AND id IN {ids:Array(String)}
  GROUP BY thread_id, id)`

const leastDelayMs = 50
const retryDelayMs = 1000
const threadsPerStatement = 1000
const turnsPerStatement = 10_000

/** A row of `turns`: the same id may stand in two threads, in one of them retracted. */
export type TouchedTurn = { thread_id: string; id: string }

/**
 * Keeps `turns_by_start` and `threads` up to date with `turns`. It is put off for a moment, so that many turns of one
 * thread cost two statements; whoever reads threads calls `flush` first and sees every write that was acknowledged before.
 */
export class ThreadSummary {
  private readonly touched = new Map<string, Map<string, Set<string>>>()
  private running: { projectId: string } | undefined
  private last: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private delayMs = leastDelayMs

  constructor(
    private readonly store: Store,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Says that these turns have changed. */
  touch(projectId: string, turns: Iterable<TouchedTurn>): void {
    for (const { thread_id: threadId, id } of turns) {
      const threads = this.touched.get(projectId) ?? new Map<string, Set<string>>()
      this.touched.set(projectId, threads)
      const ids = threads.get(threadId)
      if (ids) ids.add(id)
      else threads.set(threadId, new Set([id]))
    }
    if (this.touched.has(projectId)) this.schedule(this.delayMs)
  }

  /** Resolves when everything of the project that was touched before the call is copied and summed up. */
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
    const threads = this.touched.get(projectId)
    if (!threads) return
    this.touched.delete(projectId)
    this.running = { projectId }
    const begunMs = this.nowMs()
    const turns = [...threads].flatMap(([thread_id, ids]) => [...ids].map((id) => ({ thread_id, id })))
    try {
      // One after the other: side by side they would take the readers' cores.
      for (const slice of slicesOf(turns, turnsPerStatement)) {
        const threadIds = [...new Set(slice.map((turn) => turn.thread_id))]
        const ids = slice.map((turn) => turn.id)
        await this.store.command(copyByStart, { project_id: projectId, thread_ids: threadIds, ids })
      }
      // After the copy: the newest version tells a later start up to when both are done.
      for (const slice of slicesOf([...threads.keys()], threadsPerStatement)) {
        await this.store.command(sumUp, { project_id: projectId, thread_ids: slice })
      }
    } catch (error) {
      this.touch(projectId, turns)
      throw error
    } finally {
      this.running = undefined
      // Where a thread is so long that summing it up takes a while, it is done less often: a fifth of one core at most.
      this.delayMs = Math.max(leastDelayMs, 4 * (this.nowMs() - begunMs))
    }
  }
}

function slicesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
