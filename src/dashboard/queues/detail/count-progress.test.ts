import { expect, test } from 'vitest'
import { countProgress } from './count-progress'

const stats = { queue_id: 'q', total_items: 30, completed_items: 0, review_count: 12, missing_review_count: 48 }

test('where items take several reviews, each review counts', () => {
  expect(countProgress(stats, 2)).toEqual({ done: 12, total: 60, unit: 'reviews' })
})

test.each([
  ['an item takes one review', { ...stats, completed_items: 8 }, 1, 8],
  ['the service does not count reviews', { queue_id: 'q', total_items: 30, completed_items: 3 }, 2, 3],
  ['all items are closed', { ...stats, completed_items: 30, missing_review_count: 0 }, 2, 30],
])('items count where %s', (_, own, reviewsPerItem, done) => {
  expect(countProgress(own, reviewsPerItem)).toEqual({ done, total: 30, unit: 'items' })
})
