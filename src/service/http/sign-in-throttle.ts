const windowMs = 60_000
const freeFailures = 10
const delayStepMs = 50
const maxDelayMs = 1000
const maxAddresses = 10_000

/**
 * Slows down password guessing: from the eleventh failed sign-in of an address within a minute on, each failure waits 50 ms
 * longer than the one before, up to a second. Correct credentials never wait, so one misconfigured client does not lock
 * out the others on its host.
 */
export class SignInThrottle {
  private readonly failures = new Map<string, { count: number; since: number }>()

  constructor(private readonly now: () => number) {}

  /** Counts a failed sign-in. Returns how long to wait before the response, in milliseconds. */
  recordFailure(address: string): number {
    const previous = this.failures.get(address)
    const isRecent = previous !== undefined && this.now() - previous.since < windowMs
    const count = isRecent ? previous.count + 1 : 1
    if (this.failures.size >= maxAddresses) this.failures.clear()
    this.failures.set(address, { count, since: isRecent ? previous.since : this.now() })
    return Math.min(Math.max(0, count - freeFailures) * delayStepMs, maxDelayMs)
  }
}
