import type { GroupLimits } from './call-queue'

/** A group is inserted at once; pending rows wait for their group. */
export type CallWriterLimits = {
  group: GroupLimits
  /** For the rows of users with more than a group pending. */
  bulkGroup: GroupLimits
  /** The same where nobody reads the projects of these rows. */
  quietGroup: GroupLimits
  maxPendingRows: number
  maxPendingBytes: number
  /** A request of which no row is written by then is refused. */
  maxWaitMs: number
}

/** How long rows that nobody waits for may wait for others to be inserted with. */
export type InsertDelays = {
  maxMs: number
  /** The same where nobody reads their projects. */
  maxQuietMs: number
}

export const noDelays: InsertDelays = { maxMs: 0, maxQuietMs: 0 }

const mebibyte = 1024 * 1024
export const defaultLimits: CallWriterLimits = {
  // Whoever reads or writes next waits for one of them.
  group: { maxRows: 2000, maxBytes: 4 * mebibyte },
  // Larger inserts cost less a row, and make fewer parts to merge.
  bulkGroup: { maxRows: 8000, maxBytes: 16 * mebibyte },
  quietGroup: { maxRows: 16_000, maxBytes: 32 * mebibyte },
  // A user may fill half of it: what is acknowledged ahead of its insert, and sixteen clients with a thousand calls each.
  maxPendingRows: 64_000,
  maxPendingBytes: 160 * mebibyte,
  maxWaitMs: 30_000,
}
