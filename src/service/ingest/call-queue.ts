import { OverloadedError } from './overloaded-error'

/** A row that waits, and how large it is as it is inserted. */
export type QueuedRow = { byteCount: number; projectId: string }

export type CallQueueLimits = {
  maxRows: number
  maxBytes: number
  /** Half of all, so that one user cannot keep others out. */
  maxRowsPerUser: number
  maxBytesPerUser: number
}

/** The rows of one request. */
type Request = { takenCount: number; isRemoved: boolean }
type Entry<Row> = { row: Row; request: Request }
/** `head` is the index of the first row that waits: taking rows from a long list must not copy it. */
type ShareState<Row> = { projectId: string; entries: Entry<Row>[]; head: number; deficitBytes: number }
type UserState<Row> = { name: string; rows: number; bytes: number; shares: Map<string, ShareState<Row>> }

/** What a group holds at most. */
export type GroupLimits = { maxRows: number; maxBytes: number }
/** Whose rows a group is made of, by how many the user has pending. */
export type UserFilter = (pending: { rows: number; bytes: number }) => boolean

/** So many turns fill a group: each is a small part of it, so that everybody has some in it. */
const turnsPerGroup = 64

/**
 * Rows that wait to be inserted. A group takes the same number of bytes from each user, and for a user from each project
 * (deficit round robin: Shreedhar and Varghese, 1995), so a backlog of one user delays the call of another by one group. A
 * small row counts as the bytes that its place in the group could have held.
 */
export class CallQueue<Row extends QueuedRow> {
  private readonly users = new Map<string, UserState<Row>>()
  private rows = 0
  private bytes = 0

  constructor(private readonly limits: CallQueueLimits) {}

  get isEmpty(): boolean {
    return this.rows === 0
  }

  /** What these users have pending. */
  count(accepts: UserFilter = () => true): { rows: number; bytes: number } {
    let rows = 0
    let bytes = 0
    for (const user of this.users.values()) {
      if (!accepts(user)) continue
      rows += user.rows
      bytes += user.bytes
    }
    return { rows, bytes }
  }

  /** The projects of what these users have pending; one may be named several times. */
  *projectIds(accepts: UserFilter): Generator<string, void, undefined> {
    for (const user of this.users.values()) if (accepts(user)) yield* user.shares.keys()
  }

  /** The same as `count` for one user. */
  countOf(name: string): { rows: number; bytes: number } {
    return this.users.get(name) ?? { rows: 0, bytes: 0 }
  }

  /**
   * Adds the rows of a request, all or none (`OverloadedError`). Who has no rows here is always accepted: the size of a
   * request is limited where its body is read. The result takes the rows back, or returns false where one was taken.
   */
  add(name: string, rows: readonly Row[]): () => boolean {
    const bytes = rows.reduce((sum, { byteCount }) => sum + byteCount, 0)
    const user = this.users.get(name) ?? { name, rows: 0, bytes: 0, shares: new Map<string, ShareState<Row>>() }
    const { maxRows, maxBytes, maxRowsPerUser, maxBytesPerUser } = this.limits
    const isOverOwn = user.rows + rows.length > maxRowsPerUser || user.bytes + bytes > maxBytesPerUser
    const isOverAll = this.rows + rows.length > maxRows || this.bytes + bytes > maxBytes
    if (user.rows > 0 && (isOverOwn || isOverAll)) throw new OverloadedError(1)
    const request: Request = { takenCount: 0, isRemoved: false }
    for (const row of rows) {
      const { projectId } = row
      const share = user.shares.get(projectId)
      if (share) share.entries.push({ row, request })
      else user.shares.set(projectId, { projectId, entries: [{ row, request }], head: 0, deficitBytes: 0 })
    }
    if (rows.length > 0) this.users.set(name, user)
    this.change(user, rows.length, bytes)
    return () => {
      if (request.takenCount > 0 || request.isRemoved) return false
      request.isRemoved = true
      this.change(user, -rows.length, -bytes)
      this.forgetRemoved(user)
      return true
    }
  }

  /** Takes the next rows, at least one if any. Rows of projects that are not ready stay, and hold up no others. */
  takeGroup(
    { maxRows, maxBytes }: GroupLimits,
    isReady: (projectId: string) => boolean = () => true,
    accepts: UserFilter = () => true,
  ): Row[] {
    const group: Row[] = []
    let groupBytes = 0
    const minCost = maxBytes / maxRows
    const quantum = maxBytes / turnsPerGroup
    let turns = [...this.users.values()].flatMap((user) => {
      if (!accepts(user)) return []
      const shares = [...user.shares.values()].filter(({ projectId }) => isReady(projectId))
      return shares.length > 0 ? [{ user, shares }] : []
    })
    while (turns.length > 0) {
      for (const { user, shares } of turns) {
        const share = shares.shift()
        if (!share) continue
        share.deficitBytes += quantum
        for (let entry = share.entries[share.head]; entry; entry = share.entries[share.head]) {
          const { byteCount } = entry.row
          const cost = Math.max(byteCount, minCost)
          if (share.deficitBytes < cost) break
          if (group.length >= maxRows || (group.length > 0 && groupBytes + byteCount > maxBytes)) {
            // This share is served first in the next group, because those that had their turn moved to the end.
            return group
          }
          share.head += 1
          share.deficitBytes -= cost
          entry.request.takenCount += 1
          this.change(user, -1, -byteCount)
          group.push(entry.row)
          groupBytes += byteCount
        }
        const isLeft = share.head < share.entries.length
        this.moveLast(user, share)
        if (isLeft) shares.push(share)
      }
      turns = turns.filter(({ shares }) => shares.length > 0)
    }
    return group
  }

  private change(user: UserState<Row>, rows: number, bytes: number): void {
    user.rows += rows
    user.bytes += bytes
    this.rows += rows
    this.bytes += bytes
  }

  /** The next group begins with those that were served longest ago. Empty ones are forgotten. */
  private moveLast(user: UserState<Row>, share: ShareState<Row>): void {
    user.shares.delete(share.projectId)
    if (share.head < share.entries.length) {
      user.shares.set(share.projectId, share)
      // The list is copied each time half of it was taken, so each row is copied once or twice in all.
      if (share.head * 2 > share.entries.length) {
        share.entries.splice(0, share.head)
        share.head = 0
      }
    }
    this.users.delete(user.name)
    if (user.shares.size > 0) this.users.set(user.name, user)
  }

  private forgetRemoved(user: UserState<Row>): void {
    for (const share of user.shares.values()) {
      share.entries = share.entries.slice(share.head).filter(({ request }) => !request.isRemoved)
      share.head = 0
      if (share.entries.length === 0) user.shares.delete(share.projectId)
    }
    if (user.shares.size === 0) this.users.delete(user.name)
  }
}
