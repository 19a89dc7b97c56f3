import { randomBytes } from 'node:crypto'
import type { User } from '../http/user'

const lifetimeMs = 10 * 60 * 1000

/** The one-time codes of sign-in links. A code works once, for ten minutes, and is in memory only. */
export class SignInCodes {
  private readonly issued = new Map<string, { user: User; expiresAt: number }>()

  constructor(
    /** Milliseconds that have passed, not a time: a clock that is set back must not make a code live longer. */
    private readonly now: () => number,
  ) {}

  issue(user: User): string {
    const code = randomBytes(18).toString('base64url')
    this.issued.set(code, { user, expiresAt: this.now() + lifetimeMs })
    return code
  }

  /** The user of a valid code, which is then used up. */
  redeem(code: string): User | undefined {
    const entry = this.issued.get(code)
    this.issued.delete(code)
    return entry && this.now() < entry.expiresAt ? entry.user : undefined
  }
}
