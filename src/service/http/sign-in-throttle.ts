import { setTimeout as wait } from 'node:timers/promises'

const windowMs = 60_000
const freeFailures = 10
const mostRememberedAddresses = 10_000

/**
 * Slows down whoever guesses: after ten failures within a minute each further failure from that address is answered
 * later, by up to a second. Good credentials never wait, so one misconfigured client does not lock its host out.
 */
export class SignInThrottle {
  private readonly failures = new Map<string, { count: number; since: number }>()

  constructor(private readonly now: () => number) {}

  async delayFailure(address: string): Promise<void> {
    const seen = this.failures.get(address)
    const isRecent = seen !== undefined && this.now() - seen.since < windowMs
    const count = isRecent ? seen.count + 1 : 1
    if (this.failures.size >= mostRememberedAddresses) this.failures.clear()
    this.failures.set(address, { count, since: isRecent ? seen.since : this.now() })
    await wait(Math.max(0, Math.min(count - freeFailures, 20)) * 50)
  }
}
