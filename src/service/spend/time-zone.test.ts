import { describe, expect, test } from 'vitest'
import { spendIntervals, type SpendInterval } from '../../contract/spend'
import { integer, constantFrom, record } from 'fast-check'
import { testProperty } from '../../testing/test-property'
import { TimeZone } from './time-zone'

function startOf(zone: string, interval: SpendInterval, at: string): string {
  const timeZone = new TimeZone(zone)
  return timeZone.formatTime(timeZone.startOf(interval, Date.parse(at) / 1000))
}

test('the day of an instant begins at midnight of its zone', () => {
  expect(startOf('UTC', 'day', '2026-03-04T23:30:00Z')).toBe('2026-03-04T00:00:00Z')
  expect(startOf('Europe/Berlin', 'day', '2026-03-04T23:30:00Z')).toBe('2026-03-05T00:00:00+01:00')
  expect(startOf('America/New_York', 'day', '2026-03-04T02:30:00Z')).toBe('2026-03-03T00:00:00-05:00')
})

describe.each([
  ['Asia/Kolkata', 'hour', '2026-03-04T10:40:00Z', '2026-03-04T16:00:00+05:30'],
  ['Asia/Kathmandu', 'hour', '2026-03-04T10:10:00Z', '2026-03-04T15:00:00+05:45'],
  ['UTC', 'week', '2026-03-01T23:59:59Z', '2026-02-23T00:00:00Z'],
  ['UTC', 'week', '2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['UTC', 'week', '1969-12-31T00:00:00Z', '1969-12-29T00:00:00Z'],
  ['Europe/London', 'month', '2026-03-31T23:30:00Z', '2026-04-01T00:00:00+01:00'],
  ['Europe/London', 'month', '2026-03-31T22:30:00Z', '2026-03-01T00:00:00Z'],
])('%s, %s of %s', (zone, interval, at, start) => {
  test(`begins ${start}`, () => expect(startOf(zone, interval as SpendInterval, at)).toBe(start)) // a table of tests loses the type
})

test('an hour that comes twice is two hours, and its day is one', () => {
  expect(startOf('Europe/Berlin', 'hour', '2026-10-25T00:30:00Z')).toBe('2026-10-25T02:00:00+02:00')
  expect(startOf('Europe/Berlin', 'hour', '2026-10-25T01:30:00Z')).toBe('2026-10-25T02:00:00+01:00')
  expect(startOf('Europe/Berlin', 'day', '2026-10-25T22:30:00Z')).toBe('2026-10-25T00:00:00+02:00')
})

test('where clocks are changed by half an hour, the hour begins with the change', () => {
  expect(startOf('Australia/Lord_Howe', 'hour', '2026-04-04T14:45:00Z')).toBe('2026-04-05T01:00:00+11:00')
  expect(startOf('Australia/Lord_Howe', 'hour', '2026-04-04T15:10:00Z')).toBe('2026-04-05T01:30:00+10:30')
})

test('a day without midnight begins with the change of clocks', () => {
  expect(startOf('Africa/Cairo', 'day', '2026-04-24T12:00:00Z')).toBe('2026-04-24T01:00:00+03:00')
})

test('a day whose midnight comes twice begins at the first', () => {
  expect(startOf('America/Havana', 'day', '2026-11-01T12:00:00Z')).toBe('2026-11-01T00:00:00-04:00')
})

test('times before standard time are given in UTC', () => {
  expect(startOf('Africa/Monrovia', 'day', '1960-06-01T12:00:00Z')).toBe('1960-06-01T00:44:30Z')
})

testProperty(
  'an interval contains its instant, and its first second is its own start',
  record({
    zone: constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Sao_Paulo'),
    interval: constantFrom(...spendIntervals),
    at: integer({ min: 0, max: 2_000_000_000 }),
  }),
  { runs: 500 },
  ({ zone, interval, at }) => {
    const timeZone = new TimeZone(zone)
    const start = timeZone.startOf(interval, at)
    expect(start).toBeLessThanOrEqual(at)
    expect(timeZone.startOf(interval, start)).toBe(start)
    expect(timeZone.startOf(interval, start - 1)).toBeLessThan(start)
    expect(Date.parse(timeZone.formatTime(start)) / 1000).toBe(start)
  },
)
