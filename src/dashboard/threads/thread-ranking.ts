import type { Thread } from '../../contract/threads'

/** Where a thread stands among `rows`, greatest first; equal ones share a place. Undefined for one that has no such figure. */
export function rankThread(thread: Thread, rows: readonly Thread[], figure: (thread: Thread) => number | null) {
  const own = figure(thread)
  if (own === null) return undefined
  const values = rows.map(figure).filter((value) => value !== null)
  return { place: values.filter((value) => value > own).length + 1, count: values.length }
}

/** The threads beside one in the table's order, itself included: up to two on either side. */
export function findNeighbors(thread: Thread, rows: readonly Thread[]): readonly Thread[] {
  const index = rows.findIndex(({ thread_id }) => thread_id === thread.thread_id)
  return rows.slice(Math.max(0, index - 2), index + 3)
}
