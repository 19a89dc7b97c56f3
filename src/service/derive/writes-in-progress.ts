import type { GrowingClock } from '../lib/growing-clock'

/** The times of so many projects are kept. For all older ones, one time is kept: the latest of theirs. */
const maxProjects = 10_000

/** The inserts of calls that have begun and not ended: up to where `calls` is complete. */
export class WritesInProgress {
  private readonly writes = new Set<{ since: number }>()
  /** By project, the latest last. */
  private readonly lastInsertedAt = new Map<string, number>()
  private forgottenBefore = 0

  constructor(
    private readonly clock: GrowingClock,
    private readonly maxKept = maxProjects,
  ) {}

  /** A reading of the clock such that all calls with a lower `inserted_at` are stored. */
  get storedBefore(): number {
    // Everything that begins later gets a later reading.
    let since = this.clock.next()
    for (const write of this.writes) since = Math.min(since, write.since)
    return since
  }

  /** A reading of the clock after that of each insert that has begun. */
  get begunBefore(): number {
    return this.clock.next()
  }

  /** Begins an insert of calls of these projects. `insertedAt` in microseconds since 1970. */
  begin(projectIds: Iterable<string>): { insertedAt: number; end: () => void } {
    const write = { since: this.clock.next() }
    this.writes.add(write)
    for (const projectId of projectIds) {
      this.lastInsertedAt.delete(projectId)
      this.lastInsertedAt.set(projectId, write.since)
    }
    this.forgetOldest()
    return { insertedAt: write.since, end: () => this.writes.delete(write) }
  }

  /** Whether calls of the project may have been inserted at this time or later, since this process has begun. */
  hasInsertedSince(projectId: string, insertedAt: number): boolean {
    return (this.lastInsertedAt.get(projectId) ?? this.forgottenBefore) >= insertedAt
  }

  private forgetOldest(): void {
    for (const [projectId, insertedAt] of this.lastInsertedAt) {
      if (this.lastInsertedAt.size <= this.maxKept) return
      this.forgottenBefore = insertedAt
      this.lastInsertedAt.delete(projectId)
    }
  }
}
