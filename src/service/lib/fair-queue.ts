import type { Share } from './share'

export type FairLimits = {
  maxActive: number
  /** Below `maxActive`, so that there is always a place for somebody else. */
  maxActivePerUser: number
  maxActivePerShare: number
  maxWaiting: number
  maxWaitingPerShare: number
}

type Entry<T> = { item: T; order: number }
type ShareState<T> = {
  user: UserState<T>
  projectId: string
  active: number
  servedAt: number
  returning: Entry<T>[]
  waiting: Entry<T>[]
}
type UserState<T> = {
  name: string
  active: number
  waitingCount: number
  servedAt: number
  shares: Map<string, ShareState<T>>
}

/**
 * Decides who is served next, by max-min fairness: the user with the fewest active items; of that user's projects the one
 * with the fewest; among equals the one that was served longest ago, then who came first. Without the third rule a user
 * with many waiting items would win every tie against one who has just come.
 *
 * @example
 * const queue = new FairQueue<() => void>(limits)
 * queue.add(share, start) // false: full
 * queue.takeNext()?.item() // active until queue.release(share)
 */
export class FairQueue<T> {
  private readonly users = new Map<string, UserState<T>>()
  private activeCount = 0
  private waitingCount = 0
  private step = 0

  constructor(private readonly limits: FairLimits) {}

  /**
   * Lets an item wait. The result is the item that is refused for lack of space, if any: this one where its share waits
   * for enough already; where the queue is full, the last of the user with the most waiting, so that a flood displaces
   * itself and nobody else.
   */
  add(share: Share, item: T): T | undefined {
    const state = this.stateOf(share)
    if (state.waiting.length >= this.limits.maxWaitingPerShare) {
      this.forgetUnused(state)
      return item
    }
    state.waiting.push(this.toEntry(item))
    this.waitingCount += 1
    state.user.waitingCount += 1
    return this.waitingCount > this.limits.maxWaiting ? this.dropLastOfGreediest(state.user) : undefined
  }

  /** Lets an item that was active before wait ahead of the others of its share. It is never refused. */
  addReturning(share: Share, item: T): void {
    this.stateOf(share).returning.push(this.toEntry(item))
  }

  /** Takes back a waiting item; false where it does not wait any more. */
  remove(share: Share, item: T): boolean {
    const state = this.users.get(share.user)?.shares.get(share.projectId)
    if (!state) return false
    const list = [state.returning, state.waiting].find((each) => each.some((entry) => entry.item === item))
    if (!list) return false
    this.removeAt(
      state,
      list,
      list.findIndex((entry) => entry.item === item),
    )
    this.forgetUnused(state)
    return true
  }

  /** Whether `takeNext` would find an item. */
  hasNext(): boolean {
    return this.activeCount < this.limits.maxActive && this.findNext(false) !== undefined
  }

  /** The next item within the limits, which counts as active from now on. `onlyReturning`: not one that was never active. */
  takeNext({ onlyReturning = false } = {}): { share: Share; item: T } | undefined {
    if (this.activeCount >= this.limits.maxActive) return undefined
    const state = this.findNext(onlyReturning)
    if (!state) return undefined
    const entry = this.removeAt(state, state.returning.length > 0 ? state.returning : state.waiting, 0)
    if (!entry) return undefined
    this.activate(state)
    return { share: { user: state.user.name, projectId: state.projectId }, item: entry.item }
  }

  /** An active item of the share has ended. */
  release(share: Share): void {
    const state = this.stateOf(share)
    this.activeCount -= 1
    state.active -= 1
    state.user.active -= 1
    this.forgetUnused(state)
  }

  /** Removes and returns all waiting items. */
  clear(): T[] {
    const items: T[] = []
    for (const user of this.users.values()) {
      for (const state of user.shares.values()) {
        for (const { item } of [...state.returning.splice(0), ...state.waiting.splice(0)]) items.push(item)
        this.forgetUnused(state)
      }
      user.waitingCount = 0
    }
    this.waitingCount = 0
    return items
  }

  private findNext(onlyReturning: boolean): ShareState<T> | undefined {
    let best: ShareState<T> | undefined
    for (const user of this.users.values()) {
      if (user.active >= this.limits.maxActivePerUser) continue
      const own = this.findNextOfUser(user, onlyReturning)
      if (own && (!best || comesBefore(user, headOrder(own), best.user, headOrder(best)))) best = own
    }
    return best
  }

  private findNextOfUser(user: UserState<T>, onlyReturning: boolean): ShareState<T> | undefined {
    let best: ShareState<T> | undefined
    for (const state of user.shares.values()) {
      const canServe = state.returning.length > 0 || (!onlyReturning && state.waiting.length > 0)
      if (!canServe || state.active >= this.limits.maxActivePerShare) continue
      if (!best || comesBefore(state, headOrder(state), best, headOrder(best))) best = state
    }
    return best
  }

  private activate(state: ShareState<T>): void {
    this.activeCount += 1
    state.active += 1
    state.user.active += 1
    this.step += 1
    state.servedAt = this.step
    state.user.servedAt = this.step
  }

  private toEntry(item: T): Entry<T> {
    this.step += 1
    return { item, order: this.step }
  }

  private removeAt(state: ShareState<T>, list: Entry<T>[], index: number): Entry<T> | undefined {
    const [removed] = list.splice(index, 1)
    if (list === state.waiting) {
      this.waitingCount -= 1
      state.user.waitingCount -= 1
    }
    return removed
  }

  /** Where several users have the most, it is `newcomer` if that is one of them. */
  private dropLastOfGreediest(newcomer: UserState<T>): T | undefined {
    let user = newcomer
    for (const each of this.users.values()) if (each.waitingCount > user.waitingCount) user = each
    let state: ShareState<T> | undefined
    for (const each of user.shares.values()) if (!state || each.waiting.length > state.waiting.length) state = each
    if (!state) return undefined
    const dropped = this.removeAt(state, state.waiting, state.waiting.length - 1)
    this.forgetUnused(state)
    return dropped?.item
  }

  private stateOf({ user: name, projectId }: Share): ShareState<T> {
    const user = this.users.get(name) ?? { name, active: 0, waitingCount: 0, servedAt: 0, shares: new Map() }
    this.users.set(name, user)
    const state = user.shares.get(projectId) ?? { user, projectId, active: 0, servedAt: 0, returning: [], waiting: [] }
    user.shares.set(projectId, state)
    return state
  }

  /** Projects and users come and go; without items they leave nothing behind. */
  private forgetUnused({ user, projectId, active, returning, waiting }: ShareState<T>): void {
    if (active + returning.length + waiting.length === 0) user.shares.delete(projectId)
    if (user.shares.size === 0) this.users.delete(user.name)
  }
}

type Rank = { active: number; servedAt: number }

function comesBefore(a: Rank, orderA: number, b: Rank, orderB: number): boolean {
  return (a.active - b.active || a.servedAt - b.servedAt || orderA - orderB) < 0
}

function headOrder({ returning, waiting }: ShareState<unknown>): number {
  return (returning[0] ?? waiting[0])?.order ?? Infinity
}
