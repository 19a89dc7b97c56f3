import type { CallHeading } from '../../contract/call-headings'

/** The calls of a project: their number, and the root call that started last. */
export type ProjectCalls = { count: number; newest: CallHeading | undefined }

/** The calls received since the page was opened. */
export type ReceivedCalls =
  | { kind: 'none'; last: CallHeading | undefined; count: number }
  /** `call` is undefined if only nested or older calls were received. */
  | { kind: 'some'; call: CallHeading | undefined; newCount: number; count: number }

export function receivedSince(before: ProjectCalls, { count, newest }: ProjectCalls): ReceivedCalls {
  const isNew = newest !== undefined && newest.id !== before.newest?.id
  if (!isNew && count <= before.count) return { kind: 'none', last: newest, count }
  // The two responses are not from the same moment: a new call counts even if the total has not grown yet.
  return { kind: 'some', call: isNew ? newest : undefined, newCount: Math.max(count - before.count, isNew ? 1 : 0), count }
}
