import type { Thread } from '../../contract/threads'

/** A thread's rank among `rows`, greatest figure first; equal figures share a rank. Undefined where the figure is unknown. */
export function rankThread(thread: Thread, rows: readonly Thread[], figure: (thread: Thread) => number | null) {
  const own = figure(thread)
  if (own === null) return undefined
  const values = rows.map(figure).filter((value) => value !== null)
  return { rank: values.filter((value) => value > own).length + 1, count: values.length }
}

/** The thread and up to two threads before and after it, in the table's order. */
export function findNeighbors(thread: Thread, rows: readonly Thread[]): readonly Thread[] {
  const index = rows.findIndex(({ thread_id }) => thread_id === thread.thread_id)
  return rows.slice(Math.max(0, index - 2), index + 3)
}
