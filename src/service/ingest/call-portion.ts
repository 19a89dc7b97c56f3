import { type CallRow, toCallLine } from './call-row'
import type { CallLine } from './call-queue'

/** Calls that are written at once, as lines. `item` says what each row was in the request. */
export type CallPortion<Item> = {
  bytes: Uint8Array<ArrayBuffer>
  rows: { projectId: string; callId: string; end: number; item: Item }[]
}

// The writer inserts no larger groups, and a part of a large request is written while the next is prepared.
const maxRows = 1000
const maxBytes = 4 * 1024 * 1024

export class CallPortionBuilder<Item> {
  private lines: string[] = []
  private rows: CallPortion<Item>['rows'] = []
  private byteCount = 0

  add(row: CallRow, item: Item): void {
    const line = toCallLine(row)
    this.lines.push(line)
    this.byteCount += Buffer.byteLength(line)
    this.rows.push({ projectId: row.project_id, callId: row.id, end: this.byteCount, item })
  }

  get isFull(): boolean {
    return this.rows.length >= maxRows || this.byteCount >= maxBytes
  }

  /** The rows so far; the next portion begins empty. */
  take(): CallPortion<Item> {
    const bytes = Buffer.allocUnsafe(this.byteCount)
    let offset = 0
    for (const line of this.lines) offset += bytes.write(line, offset)
    const portion = { bytes, rows: this.rows }
    this.lines = []
    this.rows = []
    this.byteCount = 0
    return portion
  }
}

export function toCallLines({ bytes, rows }: CallPortion<unknown>): CallLine[] {
  let start = 0
  return rows.map(({ projectId, callId, end }) => {
    const line = bytes.subarray(start, end)
    start = end
    return { line, projectId, callId }
  })
}
