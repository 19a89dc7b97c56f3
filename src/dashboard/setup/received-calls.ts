import type { CallHeading } from '../../contract/call-headings'

/** What the project holds: how many calls, and the one that started last among those nothing stands above. */
export type ProjectCalls = { count: number; newest: CallHeading | undefined }

/** What has come since `before`, which is what was there when the page opened. */
export type ReceivedCalls =
  | { kind: 'none'; last: CallHeading | undefined; count: number }
  /** `call` is undefined where only older or nested ones came. */
  | { kind: 'some'; call: CallHeading | undefined; newCount: number; count: number }

export function receivedSince(before: ProjectCalls, { count, newest }: ProjectCalls): ReceivedCalls {
  const isNew = newest !== undefined && newest.id !== before.newest?.id
  if (!isNew && count <= before.count) return { kind: 'none', last: newest, count }
  // The two answers are not of one moment: a call that has been seen counts.
  return { kind: 'some', call: isNew ? newest : undefined, newCount: Math.max(count - before.count, isNew ? 1 : 0), count }
}

/** The op's name alone: Weave's SDKs send a reference to a version of it. */
export function formatOpName(opName: string): string {
  return /^weave:\/\/\/.*\/op\/([^/]+):[^:/]*$/.exec(opName)?.[1] ?? opName
}
