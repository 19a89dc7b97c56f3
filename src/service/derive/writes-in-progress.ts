import type { GrowingClock } from '../lib/growing-clock'

/** The inserts of calls that have begun and not ended: up to where `calls` is complete. */
export class WritesInProgress {
  private readonly writes = new Set<{ since: number }>()

  constructor(private readonly clock: GrowingClock) {}

  /** A reading of the clock such that all calls with a lower `inserted_at` are stored. */
  get storedBefore(): number {
    // Everything that begins later gets a later reading.
    let since = this.clock.next()
    for (const write of this.writes) since = Math.min(since, write.since)
    return since
  }

  /** `insertedAt` in microseconds since 1970. */
  begin(): { insertedAt: number; end: () => void } {
    const write = { since: this.clock.next() }
    this.writes.add(write)
    return { insertedAt: write.since, end: () => this.writes.delete(write) }
  }
}
