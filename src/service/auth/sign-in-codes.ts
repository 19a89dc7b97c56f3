import { randomBytes } from 'node:crypto'
import type { UserWithPassword } from './users'

const lifetimeMs = 10 * 60 * 1000

/** Codes of sign-in links. A code works once, for ten minutes; it is never stored. */
export class SignInCodes {
  private readonly usersByCode = new Map<string, { user: UserWithPassword; diesAt: number }>()

  constructor(private readonly now: () => number) {}

  issue(user: UserWithPassword): string {
    const code = randomBytes(18).toString('base64url')
    this.usersByCode.set(code, { user, diesAt: this.now() + lifetimeMs })
    return code
  }

  /** The user a code stands for, once. */
  redeem(code: string): UserWithPassword | undefined {
    const issued = this.usersByCode.get(code)
    this.usersByCode.delete(code)
    return issued && this.now() < issued.diesAt ? issued.user : undefined
  }
}
