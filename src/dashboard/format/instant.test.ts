import { expect, test } from 'vitest'
import { formatElapsed } from './relative-time'
import { isDay, formatDay, formatTime, formatZone } from './instant'

test('a time is formatted to the second in UTC', () => {
  expect(formatTime('2026-11-03T14:05:09.123456Z', 'utc')).toBe('2026-11-03 14:05:09')
  expect(formatZone('utc')).toBe('UTC')
})

test('a local time uses the time zone of the device', () => {
  const date = new Date('2026-06-03T14:05:09Z')
  expect(formatTime('2026-06-03T14:05:09Z', 'local')).toContain(String(date.getHours()).padStart(2, '0'))
})

test('a midnight in UTC is the same day in every time zone', () => {
  expect(formatDay('2026-05-01T00:00:00Z', 'local')).toBe('2026-05-01')
  expect(isDay('2026-05-01T00:00:00.000001Z')).toBe(false)
})

test('elapsed time is one rounded unit', () => {
  expect(formatElapsed('2026-11-03T14:05:09Z', Date.parse('2026-11-03T14:08:10Z'))).toBe('3 min ago')
})
