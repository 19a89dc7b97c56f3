import { hash } from 'node:crypto'
import type { TimeSlices } from '../lib/time-slices'

/** Which traces are remembered: those with `minRows`, until they have `maxRows` together. Tests take fewer. */
export type RowLimits = { minRows: number; maxRows: number }
// 300,000 digests take 30 MB.
const usualLimits: RowLimits = { minRows: 1000, maxRows: 300_000 }

/**
 * What this process has written for the calls of long traces. A trace of 50,000 calls to which a hundred are added is derived whole,
 * and nearly all its rows are the same as before: only the others are written. What is not remembered, as after a start, is
 * written again, which changes nothing.
 *
 * Right only where no other process writes the table, and where a trace is derived once at a time.
 */
export class WrittenRows<Row extends object> {
  /** By trace, the one that was written last at the end. */
  private readonly digestsByTrace = new Map<string, ReadonlySet<string>>()
  private rowCount = 0

  /** `toContent` leaves out what alone is no reason to write a row again. */
  constructor(
    private readonly toContent: (row: Row) => unknown,
    private readonly limits = usualLimits,
  ) {}

  /** For traces that are written together. */
  begin(): ChangedRows<Row> {
    const rows: Row[] = []
    const digestsByTrace = new Map<string, ReadonlySet<string>>()
    return {
      rows,
      add: async (trace, traceRows, slices) => {
        const written = this.forget(trace)
        const isLong = traceRows.length >= this.limits.minRows
        const digests = new Set<string>()
        for (const row of traceRows) {
          if (slices.isOver) await slices.next()
          const digest = isLong ? hash('sha256', JSON.stringify(this.toContent(row)), 'base64') : ''
          if (isLong) digests.add(digest)
          if (!written?.has(digest)) rows.push(row)
        }
        if (isLong) digestsByTrace.set(trace, digests)
      },
      keep: () => {
        for (const [trace, digests] of digestsByTrace) this.remember(trace, digests)
      },
    }
  }

  private remember(trace: string, digests: ReadonlySet<string>): void {
    this.forget(trace)
    this.digestsByTrace.set(trace, digests)
    this.rowCount += digests.size
    for (const oldest of this.digestsByTrace.keys()) {
      if (this.rowCount <= this.limits.maxRows) break
      this.forget(oldest)
    }
  }

  private forget(trace: string): ReadonlySet<string> | undefined {
    const digests = this.digestsByTrace.get(trace)
    this.digestsByTrace.delete(trace)
    this.rowCount -= digests?.size ?? 0
    return digests
  }
}

export type ChangedRows<Row> = {
  /** The rows that differ from those written before. */
  readonly rows: readonly Row[]
  /** Adds those of a trace. From now on it is not known what is written for it: a write that fails may reach some of its rows. */
  add: (trace: string, rows: readonly Row[], slices: TimeSlices) => Promise<void>
  /** To be called when `rows` are on disk. */
  keep: () => void
}
