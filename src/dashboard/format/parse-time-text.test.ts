import { expect, test } from 'vitest'
import { parseTimeText } from './parse-time-text'

test('a typed time becomes an instant; without an offset it is in the zone that is given', () => {
  expect(parseTimeText('2026-01-31 09:30', 'utc')).toEqual({ instant: '2026-01-31T09:30:00Z' })
  expect(parseTimeText('2026-01-31 09:30', 'local')).toEqual({
    instant: new Date(2026, 0, 31, 9, 30).toISOString().replace('.000Z', 'Z'),
  })
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00Z'],
  ['2026-1-5 9:05', '2026-01-05T09:05:00Z'],
  [' 2026-01-31T09:30:15 ', '2026-01-31T09:30:15Z'],
  ['2026-01-31T09:30:15.25Z', '2026-01-31T09:30:15.250Z'],
  ['2026-01-31T09:30:15.123456Z', '2026-01-31T09:30:15.123Z'],
  ['2026-01-31T09:30+02:00', '2026-01-31T07:30:00Z'],
  ['2026-01-31 09:30 -0530', '2026-01-31T15:00:00Z'],
  ['2026-01-31 09:30 UTC', '2026-01-31T09:30:00Z'],
])('%j is %s', (text, instant) => {
  expect(parseTimeText(text, 'utc')).toMatchObject({ instant })
})

test('text without a time of day names a day', () => {
  expect(parseTimeText('2026-1-5', 'utc')).toMatchObject({ day: '2026-01-05' })
  expect(parseTimeText('2026-01-05 00:00', 'utc')).toMatchObject({ day: undefined })
})

test.each([
  ['31.01.2026', 'is not a time. Write 2026-01-31'],
  ['yesterday', 'is not a time'],
  ['2026-02-30', 'There is no day 2026-02-30.'],
  ['2026-13-01 10:00', 'There is no day 2026-13-01.'],
  ['2026-01-31 24:10', 'There is no time 24:10:00.'],
  ['2026-01-31 09:30 +99:00', 'is not an offset'],
  ['1776-07-04', 'The year 1776 is out of range'],
])('%j is refused in words', (text, words) => {
  expect(parseTimeText(text, 'utc')).toEqual({ problem: expect.stringContaining(words) })
})
