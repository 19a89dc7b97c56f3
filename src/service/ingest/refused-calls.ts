import type { Problem } from '../../contract/problem'

/** An item of a batch, or a span, that was not stored. `atMs` is milliseconds since 1970. */
export type RefusedCall = { atMs: number; username: string; problem: Problem }

const maxKept = 100

/** Counts refused items and keeps the last hundred for administrators, because SDKs drop error responses unseen. */
export class RefusedCalls {
  private total = 0
  private droppedLogRecords = 0
  private readonly kept: RefusedCall[] = []

  constructor(private readonly clock: () => number) {}

  add(username: string, problem: Problem): void {
    this.total += 1
    this.kept.push({ atMs: this.clock(), username, problem })
    if (this.kept.length > maxKept) this.kept.shift()
  }

  /** Log records that are no messages of spans: not refused, and not stored. */
  addDroppedLogRecords(count: number): void {
    this.droppedLogRecords += count
  }

  get droppedLogRecordCount(): number {
    return this.droppedLogRecords
  }

  get count(): number {
    return this.total
  }

  /** The latest first. */
  get latest(): readonly RefusedCall[] {
    return this.kept.toReversed()
  }
}
