import { asStoreError, type StoreError } from '../store/store-error'
import type { Store } from '../store/store'
import type { ThreadSummary } from '../threads/thread-summary'
import { byProject } from './by-project'
import { callLine, type CallRow } from './call-row'
import { deriveTurns } from './derive-turns'
import { OverloadedError } from './overloaded-error'

type Waiting = {
  line: Buffer
  projectId: string
  callId: string
  /** Called once: the row is on disk, or the engine refuses it (`refusal`). */
  settle: (refusal: StoreError | undefined) => void
  fail: (error: StoreError) => void
}

/** Rows whose calls are stored, and those the engine refused. */
type Group = { rows: readonly Waiting[]; refusals: Map<Waiting, StoreError> }

export type CallWriterLimits = { rowsPerFlush: number; bytesPerFlush: number; waitingRows: number; waitingBytes: number }

const mebibyte = 1024 * 1024
const defaultLimits: CallWriterLimits = {
  rowsPerFlush: 1000,
  bytesPerFlush: 4 * mebibyte,
  waitingRows: 20_000,
  waitingBytes: 128 * mebibyte,
}

/**
 * Writes calls for everyone in groups: whatever arrives while one group is being written makes up the next, so a lone
 * writer waits for nobody and many share the price of a write. A row is acknowledged when it and its turn are on disk.
 */
export class CallWriter {
  private readonly waiting: Waiting[] = []
  private waitingBytes = 0
  private draining: Promise<void> | undefined
  private isClosed = false

  constructor(
    private readonly store: Store,
    private readonly summary: ThreadSummary,
    private readonly limits: CallWriterLimits = defaultLimits,
  ) {}

  /**
   * Resolves when the rows are on disk and visible to every query begun after; in the place of a row that the engine
   * cannot read stands why. Rejects with an `OverloadedError` before taking any, or a `StoreError`.
   */
  async write(rows: readonly CallRow[]): Promise<(StoreError | undefined)[]> {
    const lines = rows.map((row) => ({ line: callLine(row), projectId: row.project_id, callId: row.id }))
    const bytes = lines.reduce((sum, { line }) => sum + line.length, 0)
    // One request always fits an empty queue, however large it is: its size has been judged at the door.
    const isFull =
      this.waiting.length > 0 &&
      (this.waiting.length + rows.length > this.limits.waitingRows || this.waitingBytes + bytes > this.limits.waitingBytes)
    if (this.isClosed || isFull) throw new OverloadedError(1)
    this.waitingBytes += bytes
    const settled = lines.map(
      (line) => new Promise<StoreError | undefined>((settle, fail) => this.waiting.push({ ...line, settle, fail })),
    )
    this.draining ??= this.drain()
    return Promise.all(settled)
  }

  /** Takes nothing more and resolves when all that was taken is written. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.draining
    await this.summary.close()
  }

  private async drain(): Promise<void> {
    // The rows of one turn of the event loop go together even when nothing else is being written.
    await Promise.resolve()
    let finishing = Promise.resolve()
    while (this.waiting.length > 0) {
      // The next group is what arrives while this one is inserted. The turns of a group are derived while the next is
      // inserted: deriving reads what is stored, and to see some of the next group's parts as well does no harm.
      const inserting = this.insertGroup(this.takeGroup())
      const [group] = await Promise.all([inserting, finishing])
      finishing = this.finish(group)
      if (this.waiting.length === 0) await finishing
    }
    this.draining = undefined
  }

  private takeGroup(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const { line } of this.waiting) {
      if (count > 0 && (count >= this.limits.rowsPerFlush || bytes + line.length > this.limits.bytesPerFlush)) break
      bytes += line.length
      count += 1
    }
    this.waitingBytes -= bytes
    return this.waiting.splice(0, count)
  }

  private async insertGroup(rows: readonly Waiting[]): Promise<Group> {
    try {
      return { rows, refusals: await this.insert(rows) }
    } catch (error) {
      for (const row of rows) row.fail(asStoreError(error))
      return { rows: [], refusals: new Map() }
    }
  }

  private async finish({ rows, refusals }: Group): Promise<void> {
    try {
      const accepted = rows.filter((row) => !refusals.has(row))
      const projects = byProject(accepted, ({ projectId }) => projectId)
      for (const [projectId, own] of projects) {
        const callIds = [...new Set(own.map(({ callId }) => callId))]
        this.summary.touch(projectId, await deriveTurns(this.store, projectId, callIds))
      }
      // Another copy of the service may be asked next, and it does not know what this one has touched.
      if (this.store.isShared) await Promise.all([...projects.keys()].map((projectId) => this.summary.flush(projectId)))
      for (const row of rows) row.settle(refusals.get(row))
    } catch (error) {
      for (const row of rows) row.fail(asStoreError(error))
    }
  }

  /** Inserts the rows; those that the engine cannot read are found by halving and answered with why. */
  private async insert(rows: readonly Waiting[]): Promise<Map<Waiting, StoreError>> {
    try {
      await this.store.insertLines('calls', Buffer.concat(rows.map(({ line }) => line)))
      return new Map()
    } catch (error) {
      const reason = asStoreError(error)
      if (reason.kind !== 'bad_row') throw reason
      const [only] = rows
      if (only && rows.length === 1) return new Map([[only, reason]])
      const middle = rows.length >> 1
      const left = await this.insert(rows.slice(0, middle))
      const right = await this.insert(rows.slice(middle))
      return new Map([...left, ...right])
    }
  }
}
