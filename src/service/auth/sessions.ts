import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { SessionDirectory } from '../http/authenticate'
import type { User } from '../http/user'
import type { SessionsFile, StoredSession } from './sessions-file'
import type { Users } from './users'

const hourMs = 3_600_000
const maxIdleMs = 12 * hourMs
export const maxAgeMs = 30 * 24 * hourMs
/** A later start may count this much of a session's last use as idle time. */
const saveIntervalMs = 5 * 60_000
const maxSessionsPerUser = 100
const maxSessions = 5000

export type SessionsDeps = {
  users: Users
  /** Milliseconds since 1970. It must never go back, or a session would outlive its end. */
  clock: () => number
  logger: Logger
  stored: readonly StoredSession[]
  /** Writes all sessions to disk. */
  save: (file: SessionsFile) => Promise<void>
}

/**
 * The sessions of the dashboard, in memory and on disk. A session belongs to a browser that has its token in a cookie. It
 * ends after twelve hours without use, or after 30 days at the latest; a remembered one lasts the 30 days. It also ends when
 * its user signs out, is removed, or has another password.
 */
export class Sessions implements SessionDirectory {
  private readonly sessions: Map<string, StoredSession>
  private savedAt: number
  private isDirty = false
  private running: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(private readonly deps: SessionsDeps) {
    this.savedAt = deps.clock()
    this.sessions = new Map(deps.stored.map((session) => [session.tokenHash, session]))
    this.removeExpired()
  }

  /** Returns the token of a new session, which replaces that of `oldToken`. Past the limits the least recently used one ends. */
  async create({ username }: User, isRemembered: boolean, oldToken?: string): Promise<string> {
    const replaced = oldToken === undefined ? undefined : this.find(oldToken)
    if (replaced) this.remove(replaced)
    const token = randomBytes(32).toString('base64url')
    const passwordProof = this.deps.users.prove(username, token)?.proof.toString('hex')
    if (passwordProof === undefined) throw new Error('a session needs a user')
    const now = this.deps.clock()
    const tokenHash = hashToken(token)
    this.sessions.set(tokenHash, { tokenHash, username, passwordProof, createdAt: now, usedAt: now, isRemembered })
    this.removeExpired()
    this.enforceLimits(username)
    // On a full disk people can still sign in: the session then ends with the process. The log has the failure.
    await this.save().catch(() => undefined)
    return token
  }

  findUser(token: string): User | undefined {
    const session = this.find(token)
    if (!session) return undefined
    const found = this.deps.users.prove(session.username, token)
    if (!found || !timingSafeEqual(found.proof, Buffer.from(session.passwordProof, 'hex'))) {
      this.remove(session)
      this.saveInBackground()
      return undefined
    }
    const now = this.deps.clock()
    session.usedAt = now
    this.isDirty = true
    if (now - this.savedAt >= saveIntervalMs) this.saveInBackground()
    return found.user
  }

  /** When a remembered session ends, in milliseconds since 1970; null for any other and for an unknown token. */
  expiryOf(token: string): number | null {
    const session = this.find(token)
    return session?.isRemembered ? session.createdAt + maxAgeMs : null
  }

  countOf({ username }: User): number {
    this.removeExpired()
    return this.sessionsOf(username).length
  }

  /** Resolves when the session has ended on disk too: a restart must not bring it back. */
  async end(token: string): Promise<void> {
    const session = this.find(token)
    if (session) this.remove(session)
    await this.saveChanges()
  }

  async endAll({ username }: User): Promise<void> {
    for (const session of this.sessionsOf(username)) this.remove(session)
    await this.saveChanges()
  }

  /** Stores when each session was last used. */
  async close(): Promise<void> {
    await this.saveChanges().catch(() => undefined)
  }

  private find(token: string): StoredSession | undefined {
    const session = this.sessions.get(hashToken(token))
    if (!session || !this.isExpired(session)) return session
    this.remove(session)
    return undefined
  }

  private isExpired({ createdAt, usedAt, isRemembered }: StoredSession): boolean {
    const now = this.deps.clock()
    return now - createdAt >= maxAgeMs || (!isRemembered && now - usedAt >= maxIdleMs)
  }

  private removeExpired() {
    for (const session of this.sessions.values()) if (this.isExpired(session)) this.remove(session)
  }

  private remove({ tokenHash }: StoredSession) {
    this.sessions.delete(tokenHash)
    this.isDirty = true
  }

  private sessionsOf(username: string): StoredSession[] {
    return [...this.sessions.values()].filter((session) => session.username === username)
  }

  /** A user's own limit comes first, so no user alone can end the sessions of many others. */
  private enforceLimits(username: string) {
    this.removeLeastRecentlyUsed(this.sessionsOf(username), maxSessionsPerUser)
    this.removeLeastRecentlyUsed([...this.sessions.values()], maxSessions)
  }

  private removeLeastRecentlyUsed(sessions: StoredSession[], limit: number) {
    if (sessions.length <= limit) return
    const ordered = sessions.toSorted((left, right) => left.usedAt - right.usedAt)
    for (const session of ordered.slice(0, -limit)) this.remove(session)
  }

  private async saveChanges(): Promise<void> {
    if (this.isDirty) await this.save()
  }

  private saveInBackground() {
    this.save().catch(() => undefined)
  }

  /** Resolves when everything up to this call is on disk. Callers that wait for the same write share it. */
  private save(): Promise<void> {
    this.next ??= this.running
      // Its own callers know.
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        this.running = this.write()
        return this.running
      })
    return this.next
  }

  private async write(): Promise<void> {
    this.savedAt = this.deps.clock()
    this.isDirty = false
    try {
      await this.deps.save({ savedAt: this.savedAt, sessions: [...this.sessions.values()] })
    } catch (err) {
      this.isDirty = true
      this.deps.logger.error({ err }, 'sessions cannot be stored')
      throw err
    }
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
