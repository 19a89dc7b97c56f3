import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { UserDirectory } from '../http/authenticate'
import type { User } from '../http/user'

export type UserWithPassword = User & { password: string }

/** All users, in memory. Passwords are compared as digests in constant time. */
export class Users implements UserDirectory {
  private readonly entries: readonly { user: User; digest: Buffer }[]

  constructor(users: readonly UserWithPassword[]) {
    this.entries = users.map(({ username, projects, password }) => ({ user: { username, projects }, digest: sha256(password) }))
  }

  /** Weave clients always send the username 'api', so for that name the password alone identifies the user. */
  findByCredentials(username: string, password: string): User | undefined {
    return this.findByPassword(password, (user) => username === 'api' || user.username === username)
  }

  /**
   * The user of this name, with an HMAC of the token and the present password: it changes with the password, which ends the
   * session. It can be stored: without the token it says nothing about the password.
   */
  prove(username: string, token: string): { user: User; proof: Buffer } | undefined {
    const entry = this.entries.find(({ user }) => user.username === username)
    return entry && { user: entry.user, proof: createHmac('sha256', token).update(entry.digest).digest() }
  }

  findByPassword(password: string, isAccepted: (user: User) => boolean = () => true): User | undefined {
    const digest = sha256(password)
    let match: User | undefined
    for (const entry of this.entries) {
      // No early return: the time taken must not tell which user matched.
      const isSame = timingSafeEqual(entry.digest, digest)
      if (isSame && isAccepted(entry.user)) match ??= entry.user
    }
    return match
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
