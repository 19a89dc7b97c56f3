import { compareRanked, type RankedThread, type ThreadOrder } from './thread-order'

/** Up to so many changes are inserted one by one; with more, sorting everything again is faster. */
const maxInserted = 100

/**
 * The first threads of a project in one order, kept in memory. What comes after the last of them is not known, unless the
 * project has no more.
 */
export class ThreadRanking {
  private threads: RankedThread[]
  private readonly byId: Map<string, RankedThread>
  private readonly compare: ReturnType<typeof compareRanked>

  /** `first`: in this order. `isWhole`: the project has no more than these. */
  constructor(
    order: ThreadOrder,
    first: readonly RankedThread[],
    private isWhole: boolean,
    private readonly maxThreads: number,
  ) {
    this.compare = compareRanked(order)
    this.threads = [...first]
    this.byId = new Map(first.map((thread) => [thread.threadId, thread]))
  }

  /** The threads of a page; undefined where it ends after what is known. */
  page(offset: number, limit: number): RankedThread[] | undefined {
    if (!this.isWhole && offset + limit > this.threads.length) return undefined
    return this.threads.slice(offset, offset + limit)
  }

  /** These threads were deleted or have new values. `current`: the new values of those that still have turns. */
  update(changedIds: ReadonlySet<string>, current: readonly RankedThread[]): void {
    const last = this.threads.at(-1)
    // Beyond the last thread there are others that are not known, which may come before these.
    const known = this.isWhole || !last ? current : current.filter((thread) => this.compare(thread, last) <= 0)
    if (!this.isWhole && !last) return
    if (changedIds.size <= maxInserted) this.replace(changedIds, known)
    else this.sortAgain(changedIds, known)
    for (const id of changedIds) this.byId.delete(id)
    for (const thread of known) this.byId.set(thread.threadId, thread)
    for (const { threadId } of this.threads.splice(this.maxThreads)) {
      this.byId.delete(threadId)
      this.isWhole = false
    }
  }

  private replace(changedIds: ReadonlySet<string>, current: readonly RankedThread[]): void {
    for (const id of changedIds) {
      const before = this.byId.get(id)
      if (before) this.threads.splice(this.findPlace(before), 1)
    }
    for (const thread of current) this.threads.splice(this.findPlace(thread), 0, thread)
  }

  private sortAgain(changedIds: ReadonlySet<string>, current: readonly RankedThread[]): void {
    const others = this.threads.filter(({ threadId }) => !changedIds.has(threadId))
    this.threads = [...others, ...current].toSorted(this.compare)
  }

  /** Where the thread is, or belongs. */
  private findPlace(thread: RankedThread): number {
    let [low, high] = [0, this.threads.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.threads[middle]
      if (other && this.compare(other, thread) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
