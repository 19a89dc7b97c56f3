import type { QueueStats } from '../../../contract/queue-items'

export type Progress = { done: number; total: number; unit: 'items' | 'reviews' }

/**
 * How far a queue is. Where an item takes several reviews, reviews count: else much work shows as none, until the first item
 * has all of its own. Items count where the service does not say more, and where there is nothing left to do.
 */
export function countProgress(stats: QueueStats, reviewsPerItem: number): Progress {
  const { total_items: total, completed_items: closed, review_count: reviews, missing_review_count: missing } = stats
  if (reviewsPerItem < 2 || closed >= total || reviews === undefined || missing === undefined) {
    return { done: closed, total, unit: 'items' }
  }
  return { done: reviews, total: reviews + missing, unit: 'reviews' }
}
