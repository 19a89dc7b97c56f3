/** When work came: `order` numbers all that comes; `since` is the lowest `inserted_at` of its calls. */
export type Origin = { readonly order: number; readonly since: number }

const noOrigin: Origin = { order: Infinity, since: Infinity }

/** Calls and changed turns of one project that are stored and wait to be derived from. */
export class PendingWork {
  // Created at their first use: thousands of projects may have work, and an empty set takes some 150 bytes.
  private callIds: Set<string> | undefined
  private turnIdsByThread: Map<string, Set<string>> | undefined
  /** That of the oldest part, also after that was taken. */
  origin = noOrigin

  get callCount(): number {
    return this.callIds?.size ?? 0
  }

  get isEmpty(): boolean {
    return this.callCount === 0 && !this.turnIdsByThread?.size
  }

  addCalls(ids: Iterable<string>, origin: Origin): void {
    this.callIds ??= new Set()
    for (const id of ids) this.callIds.add(id)
    this.origin = earliest(this.origin, origin)
  }

  addTurns(threadId: string, ids: Iterable<string>, origin: Origin): void {
    this.turnIdsByThread ??= new Map()
    const turnIds = this.turnIdsByThread.get(threadId) ?? new Set()
    for (const id of ids) turnIds.add(id)
    this.turnIdsByThread.set(threadId, turnIds)
    this.origin = earliest(this.origin, origin)
  }

  /** Removes and returns the ids of up to `max` calls, and of fewer where they have more characters together, but one at least. */
  takeCalls(max: number, maxCharacters: number): string[] {
    const taken: string[] = []
    let characterCount = 0
    for (const id of this.callIds ?? []) {
      characterCount += id.length
      if (taken.length > 0 && (taken.length >= max || characterCount > maxCharacters)) break
      this.callIds?.delete(id)
      taken.push(id)
    }
    return taken
  }

  /** Removes and returns threads with their changed turns. At least one thread, whatever its turns. */
  takeThreads(maxThreads: number, maxTurns: number): { threadId: string; turnIds: ReadonlySet<string> }[] {
    const taken: { threadId: string; turnIds: ReadonlySet<string> }[] = []
    let turnCount = 0
    for (const [threadId, turnIds] of this.turnIdsByThread ?? []) {
      if (taken.length > 0 && (taken.length >= maxThreads || turnCount + turnIds.size > maxTurns)) break
      turnCount += turnIds.size
      this.turnIdsByThread?.delete(threadId)
      taken.push({ threadId, turnIds })
    }
    return taken
  }

  /** Takes over all of `other`. */
  merge(other: PendingWork): void {
    this.addCalls(other.takeCalls(Infinity, Infinity), other.origin)
    for (const { threadId, turnIds } of other.takeThreads(Infinity, Infinity)) this.addTurns(threadId, turnIds, other.origin)
  }
}

export function earliest(left: Origin, right: Origin): Origin {
  // Nearly always one of both comes first in both: nothing is made for each of thousands of projects.
  if (left.order <= right.order && left.since <= right.since) return left
  if (right.order <= left.order && right.since <= left.since) return right
  return { order: Math.min(left.order, right.order), since: Math.min(left.since, right.since) }
}
