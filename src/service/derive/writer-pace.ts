import { setTimeout as wait } from 'node:timers/promises'

export type PaceLimits = {
  /** A user who has written more calls than this during an update waits for its end. */
  callsBesideUpdate: number
  /** The longest wait. The user may then write as many calls again: an update of a large backlog takes minutes. */
  maxWaitMs: number
}
/** How often `waitForCalls` looks at the count. */
const checkMs = 250
const defaultLimits: PaceLimits = { callsBesideUpdate: 2000, maxWaitMs: 1000 }

/** An update of a project that is running. */
type Update = { countByUser: Map<string, number>; ended: Promise<void> }

/**
 * Slows down writers who are faster than the updates that readers wait for: what they write meanwhile is left for the next update,
 * and the more that is, the longer the next reader waits. Calls are inserted as before, because readers wait for inserts too; only
 * the answer to the writer is late.
 */
export class WriterPace {
  private readonly updatesByProject = new Map<string, Set<Update>>()
  private readonly readerCounts = new Map<string, number>()
  /** How many calls were written in this process. */
  callCount = 0

  constructor(private readonly limits = defaultLimits) {}

  /** Call it when an update of the project begins, and what it returns when it ends. */
  beginUpdate(projectId: string): () => void {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const update: Update = { countByUser: new Map(), ended }
    const updates = this.updatesByProject.get(projectId) ?? new Set()
    this.updatesByProject.set(projectId, updates.add(update))
    return () => {
      updates.delete(update)
      if (updates.size === 0) this.updatesByProject.delete(projectId)
      end()
    }
  }

  /** Awaits an update for a reader of the project. */
  async awaitAsReader(projectId: string, updated: Promise<void>): Promise<void> {
    this.addReaders(projectId, 1)
    try {
      await updated
    } finally {
      this.addReaders(projectId, -1)
    }
  }

  /** Call it before calls of these projects, one project for each call, are acknowledged to their writer. */
  async keepUp(user: string, projectIds: readonly string[]): Promise<void> {
    this.callCount += projectIds.length
    const awaited = new Set<Update>()
    for (const projectId of projectIds) {
      for (const update of this.updatesByProject.get(projectId) ?? []) {
        const count = (update.countByUser.get(user) ?? 0) + 1
        update.countByUser.set(user, count)
        if (count > this.limits.callsBesideUpdate && this.readerCounts.has(projectId)) awaited.add(update)
      }
    }
    if (awaited.size === 0) return
    const hasEnded = new AbortController()
    const tooLong = wait(this.limits.maxWaitMs, undefined, { ref: false, signal: hasEnded.signal }).catch(() => undefined)
    await Promise.race([Promise.all([...awaited].map(({ ended }) => ended)), tooLong])
    hasEnded.abort()
    for (const { countByUser } of awaited) countByUser.set(user, 0)
  }

  /** Resolves when `callCount` has come to this, at the latest after `maxMs`. */
  async waitForCalls(count: number, { maxMs, signal }: { maxMs: number; signal: AbortSignal }): Promise<void> {
    const endMs = performance.now() + maxMs
    while (this.callCount < count && performance.now() < endMs && !signal.aborted) {
      await wait(checkMs, undefined, { ref: false, signal }).catch(() => undefined) // aborted
    }
  }

  private addReaders(projectId: string, change: number): void {
    const count = (this.readerCounts.get(projectId) ?? 0) + change
    if (count > 0) this.readerCounts.set(projectId, count)
    else this.readerCounts.delete(projectId)
  }
}
