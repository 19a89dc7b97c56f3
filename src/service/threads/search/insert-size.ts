export const minCalls = 1000
const maxCalls = 5000
const quickMs = 500
const slowMs = 2000

/**
 * How many calls of a project get their words by one statement. It takes some forty milliseconds however few they are: 5000 calls of
 * 2 kB take 140 ms, 1000 of them 65 ms. But a statement has the texts of all its calls in memory, and calls may be large. So there are
 * more where the last statement was quick, and fewer where it was slow.
 */
export class InsertSize {
  private calls = minCalls

  get current(): number {
    return this.calls
  }

  /** Notes how long an insert of so many calls took. */
  note(callCount: number, durationMs: number): void {
    if (durationMs > slowMs) this.calls = Math.max(minCalls, this.calls / 2)
    // The last calls of a group are few, and say nothing of more.
    else if (durationMs < quickMs && callCount === this.calls) this.calls = Math.min(maxCalls, this.calls * 2)
  }
}
