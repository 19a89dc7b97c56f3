import { expect, test } from 'vitest'
import { describePace, formatDoneDay, formatPerDay, toPace } from './queue-pace'

const now = Date.parse('2026-11-22T12:00:00Z')
const day = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(now - days * day).toISOString()
const stats = {
  queue_id: 'q',
  total_items: 120,
  completed_items: 42,
  closed_by_day: [0, 6, 6, 0, 10, 8, 12],
  first_closed_at: ago(30),
}

test('the items of the last seven days give a pace, and the pace the day on which the rest is done', () => {
  const pace = toPace(stats, now)
  expect(pace).toMatchObject({ closedCount: 42, days: 7, perDay: 6, doneAt: now + 13 * day })
  expect(formatDoneDay(pace?.doneAt ?? 0, now, 'utc')).toBe('by 2026-12-05')
  expect(pace && describePace(pace)).toBe('42 items in the last 7 days')
})

test('a queue that began two days ago is measured over two days, one that began an hour ago over a whole day', () => {
  expect(toPace({ ...stats, first_closed_at: ago(2) }, now)).toMatchObject({ days: 2, perDay: 21 })
  const young = toPace({ ...stats, first_closed_at: ago(1 / 24) }, now)
  expect(young).toMatchObject({ days: 1, perDay: 42 })
  expect(young && describePace(young)).toBe('42 items in the last 24 hours')
})

test.each([
  ['nothing was closed lately', { closed_by_day: [0, 0, 0, 0, 0, 0, 0] }],
  ['nothing was ever closed', { closed_by_day: [0, 0, 0, 0, 0, 0, 0], first_closed_at: null }],
  ['the service does not say', { closed_by_day: undefined, first_closed_at: undefined }],
])('there is no pace where %s', (_, change) => {
  expect(toPace({ ...stats, ...change }, now)).toBeUndefined()
})

test('a queue without open items has a pace and no day to come', () => {
  expect(toPace({ ...stats, completed_items: 120 }, now)).toMatchObject({ perDay: 6, doneAt: undefined })
})

test('a pace is shown with the digits that mean something, and a day beyond a year is not named', () => {
  expect([0.02, 0.44, 6, 9.96, 12.4, 1234].map(formatPerDay)).toEqual(['< 0.1', '0.4', '6', '10', '12', '1,234'])
  expect(formatDoneDay(now + 366 * day, now, 'utc')).toBe('in over a year')
})
