import { expect, test } from 'vitest'
import { formatElapsed } from './duration'
import { isDay, formatDay, formatTime, formatZone } from './instant'

test('a time is shown to the second in UTC', () => {
  expect(formatTime('2026-11-03T14:05:09.123456Z', 'utc')).toBe('2026-11-03 14:05:09')
  expect(formatZone('utc')).toBe('UTC')
})

test('a local time agrees with what the device says', () => {
  const date = new Date('2026-06-03T14:05:09Z')
  expect(formatTime('2026-06-03T14:05:09Z', 'local')).toContain(String(date.getHours()).padStart(2, '0'))
})

test('a midnight in UTC is a day in every zone', () => {
  expect(formatDay('2026-05-01T00:00:00Z', 'local')).toBe('2026-05-01')
  expect(isDay('2026-05-01T00:00:00.000001Z')).toBe(false)
})

test('how long ago stands beside it', () => {
  expect(formatElapsed('2026-11-03T14:05:09Z', Date.parse('2026-11-03T14:08:10Z'))).toBe('3 min ago')
})
