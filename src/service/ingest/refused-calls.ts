import type { Problem } from '../../contract/problem'

/** A part that was not stored: when (milliseconds since 1970), whose, and why. */
export type RefusedCall = { atMs: number; username: string; problem: Problem }

const mostKept = 100

/** Counts what was refused of batches and keeps the last hundred, for the administrator: SDKs drop such answers unseen. */
export class RefusedCalls {
  private total = 0
  private readonly kept: RefusedCall[] = []

  constructor(private readonly clock: () => number) {}

  add(username: string, problem: Problem): void {
    this.total += 1
    this.kept.push({ atMs: this.clock(), username, problem })
    if (this.kept.length > mostKept) this.kept.shift()
  }

  get count(): number {
    return this.total
  }

  /** The latest first. */
  get latest(): readonly RefusedCall[] {
    return this.kept.toReversed()
  }
}
