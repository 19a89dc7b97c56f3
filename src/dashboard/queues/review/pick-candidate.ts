import type { QueueItem } from '../../../contract/queue-items'

/** So many items at the front of the queue are looked at. */
export const openPageSize = 50

/**
 * The item that a person most likely gets next, of those at the front of the queue; it is not leased before it is shown. Of
 * people who review at once each expects another one, by the order of their names, so that they rarely want the same.
 */
export function pickCandidate(
  items: readonly QueueItem[],
  { annotator, seenIds }: { annotator: string; seenIds: ReadonlySet<string> },
): QueueItem | undefined {
  const holders = new Set(items.flatMap(({ lease }) => lease?.annotator ?? []))
  const rank = [...holders].filter((name) => name < annotator).length
  const free = items.filter(
    ({ id, lease, reviews }) =>
      !seenIds.has(id) &&
      lease === null &&
      !reviews.some((review) => review.annotator === annotator && review.state !== 'in_progress'),
  )
  return free[Math.min(rank, free.length - 1)]
}
