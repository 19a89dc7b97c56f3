import type { QueueItem } from '../../../contract/queue-items'
import { ApiError } from '../../client/api-error'
import { leaseMs, renewMs } from './next-items'
import { readConflict, toError } from './review-decisions'
import { notSaved, type ReviewState } from './review-state'

type Deps = {
  api: { lease(itemId: string): Promise<{ item: QueueItem }>; undoSkip(itemId: string): Promise<unknown> }
  now: () => number
}

/** Keeps the lease of the shown item while its person is there. */
export class ShownLease {
  private activeAt = 0
  private isRenewing = false

  constructor(
    private readonly deps: Deps,
    private readonly state: ReviewState,
  ) {}

  markActive(): void {
    this.activeAt = this.deps.now()
  }

  /** Somebody is here: the lease goes on, or is asked for again after it ended. */
  touch(): void {
    this.markActive()
    if (this.state.current?.lease === 'ended') void this.tick()
  }

  /** Renews the lease while its person is active, and says when it ended. */
  async tick(): Promise<void> {
    const entry = this.state.current
    if (!entry || entry.decision !== undefined || entry.lease === 'taken' || this.isRenewing || this.state.get().isBusy) return
    const nowMs = this.deps.now()
    const isActive = this.activeAt > entry.leaseEndsAt - leaseMs && nowMs - this.activeAt < renewMs
    if (nowMs >= entry.leaseEndsAt && entry.lease === 'held') this.state.update(entry.item.id, { lease: 'ended' })
    if (isActive && nowMs >= entry.leaseEndsAt - renewMs) await this.renewOrTell(entry.item.id)
  }

  private async renewOrTell(itemId: string): Promise<void> {
    this.isRenewing = true
    try {
      await this.renew(itemId)
      this.state.set({ failure: null })
    } catch (error) {
      // While the service cannot be reached, the lease runs out at the time it gave. Any other failure is about the item.
      if (error instanceof ApiError && error.isTransient) return
      this.state.set({ failure: { title: notSaved, error: toError(error), retry: () => this.renewOrTell(itemId) } })
    } finally {
      this.isRenewing = false
    }
  }

  /** Leases an item again; a skip is taken back. Throws where the item is not open to this person any more. */
  async renew(itemId: string): Promise<void> {
    const leaseEndsAt = this.deps.now() + leaseMs
    try {
      const isLeft = this.state.find(itemId)?.decision === 'left'
      await (isLeft ? this.deps.api.undoSkip(itemId) : this.deps.api.lease(itemId))
      this.state.update(itemId, { lease: 'held', leaseEndsAt, ...(isLeft && { decision: undefined }) })
    } catch (error) {
      if (readConflict(error).startsWith('item_')) this.state.update(itemId, { lease: 'taken' })
      throw error
    }
  }
}
