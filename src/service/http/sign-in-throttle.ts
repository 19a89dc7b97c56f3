import { HttpError } from './http-error'

/** Failures that do not wait: a person who mistypes, a program that starts with a wrong password. */
const freeFailures = 10
const msPerFailure = 1000
/** Failures that wait at a time, each a second longer than the one before. */
const maxWaitingFailures = 10
const defaultMaxEntries = 10_000
/** Of usernames, which may be as long as a header. */
const maxKeyLength = 200

/** Who failed to sign in, as far as the request says. */
export type SignInAttempt = {
  /** As `clientAddress` returns it. */
  address: string
  /** Undefined where only a password or a code was sent. */
  username?: string | undefined
}

/**
 * Slows down the guessing of passwords and codes. Failures of one address, and failures against one username, get their
 * response at most at a rate, over all connections together: ten at once, then one a second. Where ten wait already, a
 * failure is 429.
 *
 * Credentials are checked first, and correct ones never wait. So nobody locks a user out by guessing, not even from the
 * same address, which behind a proxy is everyone's. The price is that the quick response tells a guesser what the slow one
 * does not: the rate bounds careless clients and what they cost, not somebody who abandons each request. Against those the
 * length of a password counts; the ones that Spool makes up have 128 bits or more.
 */
export class SignInThrottle {
  private readonly byAddress: FailureBuckets
  private readonly byUsername: FailureBuckets

  constructor(now: () => number, maxEntries = defaultMaxEntries) {
    this.byAddress = new FailureBuckets(now, maxEntries)
    this.byUsername = new FailureBuckets(now, maxEntries)
  }

  /** Counts a failure. Returns how long its response waits, in milliseconds. Throws 429 where too many wait. */
  recordFailure({ address, username }: SignInAttempt): number {
    const waits = [this.byAddress.add(address)]
    if (username !== undefined) waits.push(this.byUsername.add(username.slice(0, maxKeyLength)))
    const waitMs = Math.max(...waits)
    if (waitMs > maxWaitingFailures * msPerFailure) throw tooManyFailures()
    return waitMs
  }
}

/** Leaky buckets by key: each failure fills one by a unit, which leaks out in `msPerFailure`. */
class FailureBuckets {
  /** The least recently filled first. */
  private readonly buckets = new Map<string, { failures: number; at: number }>()

  constructor(
    private readonly now: () => number,
    private readonly maxEntries: number,
  ) {}

  /** Returns how long the failure waits, in milliseconds. A full bucket takes no more, so that it never fills for hours. */
  add(key: string): number {
    const failures = this.failuresOf(key) + 1
    this.buckets.delete(key)
    if (this.buckets.size >= this.maxEntries) this.evict()
    this.buckets.set(key, { failures: Math.min(failures, freeFailures + maxWaitingFailures), at: this.now() })
    return Math.max(0, failures - freeFailures) * msPerFailure
  }

  private failuresOf(key: string): number {
    const bucket = this.buckets.get(key)
    return bucket ? Math.max(0, bucket.failures - (this.now() - bucket.at) / msPerFailure) : 0
  }

  /**
   * Forgets the emptiest of the 16 buckets that were filled longest ago. A client with many addresses, or one that makes up
   * usernames, displaces its own single failures and not the count of the user it guesses at.
   */
  private evict(): void {
    const oldest: string[] = []
    for (const key of this.buckets.keys()) {
      if (oldest.push(key) === 16) break
    }
    const [emptiest] = oldest.toSorted((left, right) => this.failuresOf(left) - this.failuresOf(right))
    if (emptiest !== undefined) this.buckets.delete(emptiest)
  }
}

function tooManyFailures(): HttpError {
  return new HttpError(
    'too_many_requests',
    { loc: [], msg: 'Too many sign-ins have failed. Wait a few seconds and check the password.', type: 'too_many_failures' },
    { 'retry-after': String((maxWaitingFailures * msPerFailure) / 1000) },
  )
}
