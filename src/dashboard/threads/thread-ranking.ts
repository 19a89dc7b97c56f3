import type { ReceivedThread } from '../../contract/received-threads'

/** A thread's rank among `rows`, greatest figure first; equal figures share a rank. Undefined where the figure is unknown. */
export function rankThread(
  thread: ReceivedThread,
  rows: readonly ReceivedThread[],
  figure: (thread: ReceivedThread) => number | null,
) {
  const own = figure(thread)
  if (own === null) return undefined
  const values = rows.map(figure).filter((value) => value !== null)
  return { rank: values.filter((value) => value > own).length + 1, count: values.length }
}

/** The thread and up to two threads before and after it, in the table's order. */
export function findNeighbors(thread: ReceivedThread, rows: readonly ReceivedThread[]): readonly ReceivedThread[] {
  const index = rows.findIndex(({ thread_id }) => thread_id === thread.thread_id)
  return rows.slice(Math.max(0, index - 2), index + 3)
}
