/**
 * A clock that never goes back, in whole microseconds since 1970: each reading is greater than the one before, also when the
 * machine's clock is set back or two readings fall into one microsecond. Readings order what one process does, so it starts
 * at `last`, the greatest reading that a process before this one has stored.
 */
export class GrowingClock {
  constructor(
    /** The machine's clock, in milliseconds since 1970. */
    private readonly now: () => number,
    private last = 0,
  ) {}

  next(): number {
    this.last = Math.max(this.last + 1, Math.floor(this.now() * 1000))
    return this.last
  }
}
