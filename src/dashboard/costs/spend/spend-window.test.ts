import { describe, expect, test } from 'vitest'
import { formatInterval, formatTick } from '../../format/interval'
import { formatPreviousWindow, formatRange, listIntervals, toBounds, toPreviousWindow, toSpendWindow } from './spend-window'

const now = Date.parse('2026-11-22T10:20:30Z')
const noBounds = { after: '', before: '' }
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

test('seven days are today and the six days before it, each a whole day', () => {
  const window = toSpendWindow({ window: '7d', ...noBounds }, 'utc', now)
  expect(iso(window.startMs)).toBe('2026-11-16T00:00:00.000Z')
  // The wire's bounds are exclusive: a call at midnight belongs to the day that begins.
  expect(toBounds(window)).toEqual({ after_datetime: '2026-11-15T23:59:59.999999Z' })
  expect(listIntervals(window, 'utc', []).map((start) => formatInterval(start, 'day', 'utc'))).toEqual([
    'Mon 2026-11-16',
    'Tue 2026-11-17',
    'Wed 2026-11-18',
    'Thu 2026-11-19',
    'Fri 2026-11-20',
    'Sat 2026-11-21',
    'Sun 2026-11-22',
  ])
})

test('the window before is as long, to the moment', () => {
  const window = toSpendWindow({ window: '7d', ...noBounds }, 'utc', now)
  const previous = toPreviousWindow(window, now)
  expect([iso(previous?.startMs), iso(previous?.endMs)]).toEqual(['2026-11-09T13:39:30.000Z', '2026-11-16T00:00:00.000Z'])
  expect(previous && toBounds(previous)).toEqual({
    after_datetime: '2026-11-09T13:39:29.999999Z',
    before_datetime: '2026-11-16T00:00:00Z',
  })
})

test('a window that is not over is compared with as much of the one before', () => {
  const toNames = (after: string, before: string) => {
    const window = toSpendWindow({ window: '30d', after, before }, 'utc', now)
    const previous = toPreviousWindow(window, now)
    return [iso(previous?.startMs), iso(previous?.endMs), formatPreviousWindow(window, now)]
  }
  expect(toNames('2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z')).toEqual([
    '2026-11-21T00:00:00.000Z',
    '2026-11-21T10:20:30.000Z',
    'as much of the 24 hours before',
  ])
  expect(toNames('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual([
    '2026-10-02T00:00:00.000Z',
    '2026-10-23T10:20:30.000Z',
    'as much of the 30 days before',
  ])
  // Nothing of it has passed.
  expect(toNames('2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z').slice(0, 2)).toEqual([undefined, undefined])
  expect(toNames('2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z')[2]).toBe('the 2 days before')
  expect(toNames('2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z')[2]).toBe('the 24 hours before')
})

test.each([
  ['24h', 'the 24 hours before'],
  ['7d', 'the 7 days before'],
  ['30d', 'the 30 days before'],
] as const)('before the last %s are %s', (window, name) => {
  expect(formatPreviousWindow(toSpendWindow({ window, ...noBounds }, 'utc', now), now)).toBe(name)
})

test('a range of whole days names its last day, not the day after', () => {
  const day = (date: string) => `${date}T00:00:00Z`
  expect(formatRange({ after: day('2026-11-27'), before: day('2026-11-28') }, 'utc')).toBe('2026-11-27')
  expect(formatRange({ after: day('2026-11-01'), before: day('2026-12-01') }, 'utc')).toBe('2026-11-01 to 2026-11-30')
  expect(formatRange({ after: day('2026-11-01'), before: '' }, 'utc')).toBe('from 2026-11-01')
  expect(formatRange({ after: day('2026-11-01'), before: '2026-11-02T10:30:00Z' }, 'utc')).toBe(
    'from 2026-11-01 before 2026-11-02 10:30',
  )
})

test('the last 24 hours are bars of an hour', () => {
  const window = toSpendWindow({ window: '24h', ...noBounds }, 'utc', now)
  expect(window.interval).toBe('hour')
  expect(listIntervals(window, 'utc', [])).toHaveLength(24)
  expect(formatTick(now - (now % 3_600_000), 'hour', 'utc')).toBe('10:00')
})

describe('a range', () => {
  const range = (after: string, before: string) => toSpendWindow({ window: '30d', after, before }, 'utc', now)

  test.each([
    ['2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z', 'hour'],
    ['2026-11-01T00:00:00Z', '2026-11-22T00:00:00Z', 'day'],
    ['2026-01-01T00:00:00Z', '2026-11-22T00:00:00Z', 'week'],
  ])('from %s to %s has bars of a %s', (after, before, interval) => {
    expect(range(after, before).interval).toBe(interval)
  })

  test('without a start has no window before it', () => {
    const window = range('', '2026-11-22T00:00:00Z')
    expect(toBounds(window)).toEqual({ before_datetime: '2026-11-22T00:00:00Z' })
    expect(toPreviousWindow(window, now)).toBeUndefined()
    expect(listIntervals(window, 'utc', [Date.parse('2026-11-20')])).toHaveLength(2)
  })

  test('of centuries has a bounded number of bars', () => {
    expect(listIntervals(range('1900-01-01T00:00:00Z', '2200-01-01T00:00:00Z'), 'utc', []).length).toBeLessThanOrEqual(2000)
  })

  test('weeks begin on Monday', () => {
    const window = range('2026-01-01T00:00:00Z', '2026-11-22T00:00:00Z')
    expect(formatInterval(listIntervals(window, 'utc', [])[0] ?? 0, 'week', 'utc')).toBe('week of Mon 2025-12-29')
  })
})
