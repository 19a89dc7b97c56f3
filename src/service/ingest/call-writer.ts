import type { TurnDeriver } from '../derive/turn-deriver'
import { serviceShare, type Share } from '../lib/share'
import type { QueryOptions, Store } from '../store/store'
import { StoreError, toStoreError } from '../store/store-error'
import { type CallLines, lineAt, toCallLines } from './call-portion'
import { type CallWriterLimits, defaultLimits, type InsertDelays, noDelays } from './call-writer-limits'
import { CallQueue, type GroupLimits, type QueuedRow, type UserFilter } from './call-queue'
import { type CallRow, joinCallLines } from './call-row'
import { InsertLane } from './insert-lane'
import { OverloadedError } from './overloaded-error'
import { UntakenRequests } from './untaken-requests'

/** The rows of a request have one promise: with one each, a thousand rows cost a millisecond of the event loop. */
type PendingRequest = {
  lines: CallLines
  /** How many rows are in no group yet. */
  untakenCount: number
  waitingCount: number
  /** For each row, the error for which the engine rejects this row alone. */
  rowErrors: (StoreError | undefined)[]
  /** Called when all rows are on disk or rejected. */
  resolve: () => void
  reject: (error: StoreError) => void
}
/** Its line is the one of that index in the request: a view of each line would take more memory than the rest of the row. */
type PendingRow = QueuedRow & { request: PendingRequest; index: number }

/** Who waits for the rows: nobody, where they are on disk already. */
export type WriteUrgency = 'now' | 'soon'

/** What routes write calls with. */
export type CallSink = Pick<CallWriter, 'write' | 'writeLines' | 'close'> & {
  /** Resolves when every call of the project that was acknowledged before is visible to queries. */
  settle: (projectId: string, options?: Pick<QueryOptions, 'signal'>) => Promise<void>
  /**
   * Projects with calls that are acknowledged and not visible to queries yet. Rejects as `settle` does, where the calls that the
   * last process left cannot be inserted.
   */
  listUnsettledProjects: (options?: Pick<QueryOptions, 'signal'>) => Promise<readonly string[]>
}

type CallWriterOptions = {
  limits?: CallWriterLimits
  delays?: InsertDelays
  /** What else is derived of calls, by their ids, before they are acknowledged in a store that others write to as well. */
  deriveShared?: (callIdsByProject: ReadonlyMap<string, readonly string[]>) => Promise<void>
}

type LaneKind = {
  /** Whose rows it inserts. */
  accepts: UserFilter
  /** Those of the next group. */
  limits: () => GroupLimits
  onTake?: () => void
}

/** Inserts of calls wait for a place apart from the derivation. */
const insertShare: Share = { ...serviceShare, projectId: 'calls' }
/**
 * Writes calls by group commit: rows that arrive while a group is being inserted make up the next one. A single writer
 * never waits for others, and many writers share the cost of an insert. Groups are filled from all users and projects alike
 * (`CallQueue`). The rows of users with more than a group pending are inserted beside all others, in larger groups, so that
 * a bulk load is fast and nobody else waits for it. A row is acknowledged when it is on disk; turns and threads are derived
 * later, and their readers wait for that.
 */
export class CallWriter implements CallSink {
  private readonly pending: CallQueue<PendingRow>
  private readonly limits: CallWriterLimits
  private readonly delays: InsertDelays
  private readonly deriveShared: NonNullable<CallWriterOptions['deriveShared']>
  private readonly lanes: readonly InsertLane<PendingRow>[]
  private readonly untaken = new UntakenRequests<PendingRequest>()
  private isClosed = false

  constructor(
    private readonly store: Store,
    private readonly deriver: TurnDeriver,
    { limits = defaultLimits, delays = noDelays, deriveShared = async () => {} }: CallWriterOptions = {},
  ) {
    this.limits = limits
    this.delays = delays
    this.deriveShared = deriveShared
    const { maxPendingRows: maxRows, maxPendingBytes: maxBytes } = limits
    this.pending = new CallQueue({ maxRows, maxBytes, maxRowsPerUser: maxRows / 2, maxBytesPerUser: maxBytes / 2 })
    const isAhead: UserFilter = (pending) => isMoreThan(pending, limits.group)
    const isUsual: UserFilter = (pending) => !isAhead(pending)
    const usual = this.openLane({ accepts: isUsual, limits: () => limits.group })
    const bulkLimits = () => (this.isAnyRead(this.pending.projectIds(isAhead)) ? limits.bulkGroup : limits.quietGroup)
    // What a large group leaves of a user may be for the usual lane.
    const bulk = this.openLane({ accepts: isAhead, limits: bulkLimits, onTake: () => usual.start() })
    this.lanes = [usual, bulk]
  }

  /**
   * Resolves when the rows are on disk and visible to every query that starts later. The result has, for each row, the
   * error for which the engine rejects it, or undefined. Rejects with an `OverloadedError` before it accepts any row, or with
   * a `StoreError`.
   */
  async write(rows: readonly CallRow[], share: Pick<Share, 'user'> = serviceShare): Promise<(StoreError | undefined)[]> {
    return await this.writeLines(toCallLines(rows), share)
  }

  /** The same for rows that are lines already: a worker thread prepares those of large requests. */
  async writeLines(
    lines: CallLines,
    { user }: Pick<Share, 'user'>,
    urgency: WriteUrgency = 'now',
  ): Promise<(StoreError | undefined)[]> {
    if (this.isClosed) throw new OverloadedError(1)
    const { projectIds, callIds, ends } = lines
    if (callIds.length === 0) return []
    const request: PendingRequest = {
      lines,
      untakenCount: callIds.length,
      waitingCount: callIds.length,
      rowErrors: [],
      resolve: () => undefined,
      reject: () => undefined,
    }
    const rows = ends.map((end, index): PendingRow => {
      const projectId = projectIds[index] ?? '' // there is one for each
      return { byteCount: end - (ends[index - 1] ?? 0), projectId, request, index }
    })
    const takeBack = this.pending.add(user, rows)
    this.untaken.add(request)
    const written = new Promise<void>((resolve, reject) => Object.assign(request, { resolve, reject }))
    const timer = setTimeout(() => {
      if (!takeBack()) return
      this.untaken.delete(request)
      request.reject(new StoreError('busy', 'The rows were not written within the time limit.'))
      this.startLanes()
    }, this.limits.maxWaitMs)
    if (urgency === 'now') this.hurry()
    else this.startLanes(this.delayOf(projectIds))
    try {
      await written
      return request.rowErrors
    } finally {
      clearTimeout(timer)
    }
  }

  /** Inserts what is pending without more delay. */
  hurry(): void {
    this.untaken.hurry()
    this.startLanes()
  }

  /**
   * Whether so much of the user waits that more for these projects should be acknowledged no sooner than it is inserted: who reads
   * a project waits for all that is acknowledged.
   */
  isBehind(user: string, projectIds: readonly string[]): boolean {
    const pending = this.pending.countOf(user)
    if (isMoreThan(pending, this.limits.quietGroup)) return true
    return isMoreThan(pending, this.limits.group) && projectIds.some((projectId) => this.deriver.isRead(projectId))
  }

  async settle(): Promise<void> {}

  /** None: what is acknowledged here is visible. */
  async listUnsettledProjects(): Promise<readonly string[]> {
    return []
  }

  /** Accepts no more rows. Resolves when all pending rows are written and derived from. */
  async close(): Promise<void> {
    this.isClosed = true
    this.hurry()
    // A lane may leave rows to the other one.
    while (this.lanes.some((lane) => lane.isRunning)) await Promise.all(this.lanes.map((lane) => lane.finish()))
    await this.deriver.close()
  }

  private openLane({ accepts, limits, onTake }: LaneKind): InsertLane<PendingRow> {
    const { pending, deriver } = this
    return new InsertLane({
      hasRows: () => pending.count(accepts).rows > 0,
      isFull: () => {
        const waiting = pending.count(accepts)
        // First what costs little: `limits` may go through thousands of projects.
        return isMoreThan(waiting, this.limits.group) && isMoreThan(waiting, limits())
      },
      isHurried: () => this.untaken.isHurried,
      take: () => {
        const group = pending.takeGroup(limits(), (projectId) => deriver.hasCapacityForWriters(projectId), accepts)
        for (const { request } of group) this.untaken.take(request)
        return group
      },
      insert: async (group) => {
        onTake?.()
        await this.writeGroup(group)
      },
      waitForCapacity: () => deriver.waitForCapacity(),
      maxDelayMs: () => this.delayOf(pending.projectIds(accepts)),
    })
  }

  private delayOf(projectIds: Iterable<string>): number {
    return this.isAnyRead(projectIds) ? this.delays.maxMs : this.delays.maxQuietMs
  }

  private isAnyRead(projectIds: Iterable<string>): boolean {
    for (const projectId of projectIds) if (this.deriver.isRead(projectId)) return true
    return false
  }

  private startLanes(maxDelayMs?: number): void {
    for (const lane of this.lanes) lane.start(maxDelayMs)
  }

  private async writeGroup(rows: readonly PendingRow[]): Promise<void> {
    try {
      const callIdsByProject = groupCallIds(rows)
      const { insertedAt, end } = this.deriver.trackWrite(callIdsByProject)
      let rowErrors: Map<PendingRow, StoreError>
      try {
        rowErrors = await this.insert(rows, insertedAt)
      } finally {
        end()
      }
      // The next query may go to another copy of the service, whose deriver does not know of these rows.
      if (this.store.isShared) {
        await Promise.all([...callIdsByProject.keys()].map((projectId) => this.deriver.waitUntilDerived(projectId)))
        await this.deriveShared(callIdsByProject)
      }
      for (const row of rows) {
        const { request } = row
        request.rowErrors[row.index] = rowErrors.get(row)
        request.waitingCount -= 1
        if (request.waitingCount === 0) request.resolve()
      }
    } catch (error) {
      const storeError = toStoreError(error)
      for (const { request } of rows) request.reject(storeError)
    }
  }

  /** Inserts the rows. Finds rows that the engine cannot read by bisection and returns their errors. */
  private async insert(rows: readonly PendingRow[], insertedAt: number): Promise<Map<PendingRow, StoreError>> {
    try {
      const lines = rows.map(({ request, index }) => lineAt(request.lines, index))
      await this.store.insertLines('calls', await joinCallLines(lines, insertedAt), { share: insertShare })
      return new Map()
    } catch (error) {
      const storeError = toStoreError(error)
      if (storeError.kind !== 'bad_row') throw storeError
      const [row] = rows
      if (row && rows.length === 1) return new Map([[row, storeError]])
      const middle = rows.length >> 1
      const left = await this.insert(rows.slice(0, middle), insertedAt)
      const right = await this.insert(rows.slice(middle), insertedAt)
      return new Map([...left, ...right])
    }
  }
}

function groupCallIds(rows: readonly PendingRow[]): Map<string, string[]> {
  const callIdsByProject = new Map<string, string[]>()
  for (const { projectId, request, index } of rows) {
    const callId = request.lines.callIds[index] ?? '' // there is one for each
    const own = callIdsByProject.get(projectId)
    if (own) own.push(callId)
    else callIdsByProject.set(projectId, [callId])
  }
  return callIdsByProject
}

function isMoreThan({ rows, bytes }: { rows: number; bytes: number }, { maxRows, maxBytes }: GroupLimits): boolean {
  return rows > maxRows || bytes > maxBytes
}
