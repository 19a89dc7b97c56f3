import { leaseMinutes, type QueueItem } from '../../../contract/queue-items'
import { openPageSize, pickCandidate } from './pick-candidate'

export const leaseMs = leaseMinutes * 60_000
/** An active person's lease is renewed when half of it is over. */
export const renewMs = leaseMs / 2
/** With so many open items nobody misses one that is leased some seconds early. */
const plentyCount = 20

/** What is asked of the service. */
export type NextItemsApi = {
  lease(itemId: string): Promise<{ item: QueueItem }>
  /** Gives an item back, also while the page is being left. */
  release(itemId: string): void
  /** Open items from this one on, in the order of the queue. */
  listOpen(offset: number): Promise<readonly QueueItem[]>
  /** Reads what the page shows of an item. */
  preload(item: QueueItem): void
}

/** Which item a person gets next. It is found and read ahead of time, and leased only when it is asked for. */
export class NextItems {
  /** So many items are open that one may be leased some seconds early. */
  isPlenty = false
  private candidate: QueueItem | undefined
  private reserved: { item: QueueItem; leaseEndsAt: number } | undefined
  private openOffset = 0
  private preparing: Promise<void> | undefined
  private reserving: Promise<QueueItem | undefined> | undefined

  constructor(
    private readonly api: NextItemsApi,
    private readonly now: () => number,
    private readonly annotator: string,
  ) {}

  /** Finds out which item comes after those that were seen, and reads it. Nobody waits for it, so a failure changes nothing. */
  prepare(seenIds: ReadonlySet<string>): void {
    this.preparing = this.findCandidate(seenIds)
  }

  /** Leases the expected item, if that is not done yet. Undefined where another one has to be asked for. */
  reserve(): Promise<QueueItem | undefined> {
    if (this.reserved && this.reserved.leaseEndsAt > this.now() + renewMs) return Promise.resolve(this.reserved.item)
    this.reserving ??= this.leaseCandidate().finally(() => {
      this.reserving = undefined
    })
    return this.reserving
  }

  /** When the lease of this item ends, if it was reserved. Nothing is reserved after that. */
  take(item: QueueItem): number | undefined {
    const { reserved } = this
    this.reserved = undefined
    return reserved?.item.id === item.id ? reserved.leaseEndsAt : undefined
  }

  /** Gives back the item that is leased and not shown, or that is just being leased. */
  async giveBack(): Promise<void> {
    const item = this.reserved?.item ?? (await this.reserving)
    this.reserved = undefined
    if (item) this.api.release(item.id)
  }

  private async findCandidate(seenIds: ReadonlySet<string>): Promise<void> {
    try {
      const items = await this.api.listOpen(this.openOffset)
      this.isPlenty = items.length >= plentyCount
      this.candidate = pickCandidate(items, { annotator: this.annotator, seenIds })
      if (this.candidate) this.api.preload(this.candidate)
      // All of these wait for other people. The next page is looked at with the next item.
      else this.openOffset = items.length < openPageSize ? 0 : this.openOffset + openPageSize
    } catch {
      this.candidate = undefined
    }
  }

  private async leaseCandidate(): Promise<QueueItem | undefined> {
    await this.preparing
    const { candidate } = this
    this.candidate = undefined
    if (!candidate) return undefined
    const leaseEndsAt = this.now() + leaseMs
    try {
      const { item } = await this.api.lease(candidate.id)
      this.reserved = { item, leaseEndsAt }
      return item
    } catch {
      // Somebody was faster, or the service is away: then the request for the next item says so.
      return undefined
    }
  }
}
