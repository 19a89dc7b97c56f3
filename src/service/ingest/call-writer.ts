import type { TurnDeriver } from '../derive/turn-deriver'
import { groupByProject } from '../lib/group-by-project'
import { serviceShare, type Share } from '../lib/share'
import type { QueryOptions, Store } from '../store/store'
import { StoreError, toStoreError } from '../store/store-error'
import { type CallRow, joinCallLines, toCallLine } from './call-row'
import { type CallLine, CallQueue } from './call-queue'
import { OverloadedError } from './overloaded-error'

/** The rows of a request have one promise: with one each, a thousand rows cost a millisecond of the event loop. */
type PendingRequest = {
  waitingCount: number
  /** For each row, the error for which the engine rejects this row alone. */
  rowErrors: (StoreError | undefined)[]
  /** Called when all rows are on disk or rejected. */
  resolve: () => void
  reject: (error: StoreError) => void
}
type PendingRow = CallLine & { request: PendingRequest; index: number }

/** A group is inserted at once; pending rows wait for their group. */
export type CallWriterLimits = {
  maxGroupRows: number
  maxGroupBytes: number
  maxPendingRows: number
  maxPendingBytes: number
  /** A request of which no row is written by then is refused. */
  maxWaitMs: number
}

/** Who waits for the rows: nobody, where they are on disk already. */
export type WriteUrgency = 'now' | 'soon'

/** What routes write calls with. */
export type CallSink = Pick<CallWriter, 'write' | 'writeLines' | 'close'> & {
  /** Resolves when every call of the project that was acknowledged before is visible to queries. */
  settle: (projectId: string, options?: Pick<QueryOptions, 'signal'>) => Promise<void>
  /** Projects with calls that are acknowledged and not visible to queries yet. */
  readonly acknowledgedProjectIds: Iterable<string>
}

type CallWriterOptions = {
  limits?: CallWriterLimits
  /** How long rows that nobody waits for may wait for others to be inserted with. */
  maxDelayMs?: number
  /** What else is derived of calls, by their ids, before they are acknowledged in a store that others write to as well. */
  deriveShared?: (callIdsByProject: ReadonlyMap<string, readonly string[]>) => Promise<void>
}

const mebibyte = 1024 * 1024
/** Inserts of calls wait for a place apart from the derivation. */
const insertShare: Share = { ...serviceShare, projectId: 'calls' }
const defaultLimits: CallWriterLimits = {
  // Larger inserts cost less a row, and make fewer parts to merge. Whoever writes next waits for one of them.
  maxGroupRows: 2000,
  maxGroupBytes: 4 * mebibyte,
  // A user may fill half of it: sixteen clients with a thousand calls each.
  maxPendingRows: 40_000,
  maxPendingBytes: 128 * mebibyte,
  maxWaitMs: 30_000,
}

/**
 * Writes calls by group commit: rows that arrive while a group is being inserted make up the next one. A single writer
 * never waits for others, and many writers share the cost of an insert. Groups are filled from all users and projects alike
 * (`CallQueue`). A row is acknowledged when it is on disk; turns and
 * threads are derived later, and their readers wait for that.
 */
export class CallWriter implements CallSink {
  /** None: what is acknowledged here is visible. */
  readonly acknowledgedProjectIds: readonly string[] = []
  private readonly pending: CallQueue<PendingRow>
  private readonly limits: CallWriterLimits
  private readonly deriveShared: NonNullable<CallWriterOptions['deriveShared']>
  private draining: Promise<void> | undefined
  private wake: (() => void) | undefined
  private readonly maxDelayMs: number
  private isHurried = false
  private endDelay = () => {}
  private isClosed = false

  constructor(
    private readonly store: Store,
    private readonly deriver: TurnDeriver,
    { limits = defaultLimits, maxDelayMs = 0, deriveShared = async () => {} }: CallWriterOptions = {},
  ) {
    this.limits = limits
    this.maxDelayMs = maxDelayMs
    this.deriveShared = deriveShared
    const { maxPendingRows: maxRows, maxPendingBytes: maxBytes } = limits
    this.pending = new CallQueue({ maxRows, maxBytes, maxRowsPerUser: maxRows / 2, maxBytesPerUser: maxBytes / 2 })
  }

  /**
   * Resolves when the rows are on disk and visible to every query that starts later. The result has, for each row, the
   * error for which the engine rejects it, or undefined. Rejects with an `OverloadedError` before it accepts any row, or with
   * a `StoreError`.
   */
  async write(rows: readonly CallRow[], share: Pick<Share, 'user'> = serviceShare): Promise<(StoreError | undefined)[]> {
    const lines = rows.map((row) => ({ line: Buffer.from(toCallLine(row)), projectId: row.project_id, callId: row.id }))
    return await this.writeLines(lines, share)
  }

  /** The same for rows that are lines already: a worker thread prepares those of large requests. */
  async writeLines(
    lines: readonly CallLine[],
    { user }: Pick<Share, 'user'>,
    urgency: WriteUrgency = 'now',
  ): Promise<(StoreError | undefined)[]> {
    if (this.isClosed) throw new OverloadedError(1)
    if (lines.length === 0) return []
    const request: PendingRequest = {
      waitingCount: lines.length,
      rowErrors: [],
      resolve: () => undefined,
      reject: () => undefined,
    }
    const rows = lines.map(({ line, projectId, callId }, index): PendingRow => ({ line, projectId, callId, request, index }))
    const takeBack = this.pending.add(user, rows)
    const written = new Promise<void>((resolve, reject) => Object.assign(request, { resolve, reject }))
    const timer = setTimeout(() => {
      if (!takeBack()) return
      request.reject(new StoreError('busy', 'The rows were not written within the time limit.'))
      this.wake?.()
    }, this.limits.maxWaitMs)
    this.wake?.()
    if (urgency === 'now') this.hurry()
    else if (this.pending.isMoreThan(this.limits.maxGroupRows, this.limits.maxGroupBytes)) this.endDelay()
    this.draining ??= this.drain()
    try {
      await written
      return request.rowErrors
    } finally {
      clearTimeout(timer)
    }
  }

  /** Inserts what is pending without more delay. */
  hurry(): void {
    this.isHurried = true
    this.endDelay()
  }

  /** Whether so much of the user waits that more should be acknowledged no sooner than it is inserted. */
  isBehind(user: string): boolean {
    return this.pending.hasMoreThan(user, this.limits.maxGroupRows, this.limits.maxGroupBytes)
  }

  async settle(): Promise<void> {}

  /** Accepts no more rows. Resolves when all pending rows are written and derived from. */
  async close(): Promise<void> {
    this.isClosed = true
    this.hurry()
    await this.draining
    await this.deriver.close()
  }

  private async drain(): Promise<void> {
    // Rows written in one tick of the event loop form one group even when no insert is running.
    await Promise.resolve()
    while (!this.pending.isEmpty) {
      const { maxGroupRows, maxGroupBytes } = this.limits
      if (!this.isHurried && !this.pending.isMoreThan(maxGroupRows, maxGroupBytes)) await this.delay()
      const group = this.pending.takeGroup(maxGroupRows, maxGroupBytes, (projectId) => this.deriver.hasCapacity(projectId))
      if (group.length > 0) await this.writeGroup(group)
      else await this.waitForCapacity()
    }
    this.isHurried = false
    this.draining = undefined
  }

  private async delay(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.maxDelayMs)
      this.endDelay = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.endDelay = () => {}
  }

  /** All pending rows are of projects with too many calls to derive from. Rows of other projects end the wait too. */
  private async waitForCapacity(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve
      void this.deriver.waitForCapacity().then(resolve)
    })
    this.wake = undefined
  }

  private async writeGroup(rows: readonly PendingRow[]): Promise<void> {
    const rowsByProject = groupByProject(rows, ({ projectId }) => projectId)
    try {
      const callIdsByProject = new Map([...rowsByProject].map(([projectId, own]) => [projectId, own.map(({ callId }) => callId)]))
      const { insertedAt, end } = this.deriver.trackWrite(callIdsByProject)
      let rowErrors: Map<PendingRow, StoreError>
      try {
        rowErrors = await this.insert(rows, insertedAt)
      } finally {
        end()
      }
      // The next query may go to another copy of the service, whose deriver does not know of these rows.
      if (this.store.isShared) {
        await Promise.all([...rowsByProject.keys()].map((projectId) => this.deriver.flush(projectId)))
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
      await this.store.insertLines(
        'calls',
        joinCallLines(
          rows.map(({ line }) => line),
          insertedAt,
        ),
        { share: insertShare },
      )
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
