import { createHash, timingSafeEqual } from 'node:crypto'
import type { User } from '../http/user'

/** A user with the secret that identifies it. */
export type UserWithPassword = User & { password: string }

/** Whoever may sign in, found by credentials; secrets are compared as digests, in the same time whatever they are. */
export class Users {
  private readonly known: readonly { user: User; digest: Buffer }[]

  constructor(users: readonly UserWithPassword[]) {
    this.known = users.map(({ username, projects, password }) => ({ user: { username, projects }, digest: digestOf(password) }))
  }

  /** By name and password. Weave clients call everybody 'api', so under that name the password alone identifies. */
  find(username: string, password: string): User | undefined {
    const found = this.findByPassword(password, (user) => username === 'api' || user.username === username)
    return found
  }

  /** By password alone. */
  findByPassword(password: string, isMeant: (user: User) => boolean = () => true): User | undefined {
    const digest = digestOf(password)
    let found: User | undefined
    for (const each of this.known) {
      // Every user is compared, so that time tells nothing of who matched.
      const isSame = timingSafeEqual(each.digest, digest)
      if (isSame && isMeant(each.user)) found ??= each.user
    }
    return found
  }
}

function digestOf(password: string): Buffer {
  return createHash('sha256').update(password, 'utf8').digest()
}
