import { toStoreError, type StoreError } from '../store/store-error'
import type { Store } from '../store/store'
import type { TurnDeriver } from '../derive/turn-deriver'
import { groupByProject } from '../lib/group-by-project'
import { toCallLine, type CallRow } from './call-row'
import { OverloadedError } from './overloaded-error'

type Waiting = {
  line: Buffer
  projectId: string
  callId: string
  /** Called once: the row is on disk, or the engine refuses it (`refusal`). */
  settle: (refusal: StoreError | undefined) => void
  fail: (error: StoreError) => void
}

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
 * writer waits for nobody and many share the price of a write. A row is acknowledged when it is on disk; what is derived
 * from it is left to the summary, which those who read it bring up to date.
 */
export class CallWriter {
  private readonly waiting: Waiting[] = []
  private waitingBytes = 0
  private draining: Promise<void> | undefined
  private isClosed = false

  constructor(
    private readonly store: Store,
    private readonly summary: TurnDeriver,
    private readonly limits: CallWriterLimits = defaultLimits,
  ) {}

  /**
   * Resolves when the rows are on disk and visible to every query begun after; in the place of a row that the engine
   * cannot read stands why. Rejects with an `OverloadedError` before taking any, or a `StoreError`.
   */
  async write(rows: readonly CallRow[]): Promise<(StoreError | undefined)[]> {
    const lines = rows.map((row) => ({ line: toCallLine(row), projectId: row.project_id, callId: row.id }))
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
    while (this.waiting.length > 0) await this.writeGroup(this.takeGroup())
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

  private async writeGroup(rows: readonly Waiting[]): Promise<void> {
    const projects = groupByProject(rows, ({ projectId }) => projectId)
    try {
      await this.summary.waitForCapacity()
      const followed = [...projects].map(([projectId, own]) =>
        this.summary.trackWrite(
          projectId,
          own.map(({ callId }) => callId),
        ),
      )
      let refusals: Map<Waiting, StoreError>
      try {
        refusals = await this.insert(rows)
      } finally {
        for (const done of followed) done()
      }
      // Another copy of the service may be asked next, and it does not know what this one has written.
      if (this.store.isShared) await Promise.all([...projects.keys()].map((projectId) => this.summary.flush(projectId)))
      for (const row of rows) row.settle(refusals.get(row))
    } catch (error) {
      for (const row of rows) row.fail(toStoreError(error))
    }
  }

  /** Inserts the rows; those that the engine cannot read are found by halving and answered with why. */
  private async insert(rows: readonly Waiting[]): Promise<Map<Waiting, StoreError>> {
    try {
      await this.store.insertLines('calls', Buffer.concat(rows.map(({ line }) => line)))
      return new Map()
    } catch (error) {
      const reason = toStoreError(error)
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
