import { constantFrom, integer, record } from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import { CallInstant } from './call-instant'
import { Instant } from './instant'

test('times are converted to the form of the wire', () => {
  expect(z.parse(CallInstant, '2026-01-31T09:30:00.120Z')).toBe('2026-01-31T09:30:00.120000Z')
  expect(z.parse(CallInstant, '2026-01-31T09:30:00.000000+00:00')).toBe('2026-01-31T09:30:00Z')
  expect(z.parse(CallInstant, '2026-01-31T10:30:00+01:00')).toBe('2026-01-31T09:30:00Z')
})

const digits = (max: number) => integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
const time = record({
  year: constantFrom('0026', '1899', '1900', '1999', '2024', '2025', '2026', '2100', '2199', '2200', '2298', '2299'),
  month: digits(13),
  day: digits(32),
  hour: digits(25),
  minute: digits(61),
  second: digits(61),
  fraction: constantFrom('', '.', '.0', '.000', '.001', '.120', '.000000', '.000001', '.123456', '.1234567'),
  zone: constantFrom('Z', 'z', '', '+00:00', '-00:00', '+0000', '+01:00'),
}).map(({ year, month, day, hour, minute, second, fraction, zone }) => {
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`
})

testProperty('every text has the result, or the problem, that it has as an Instant', time, { runs: 2000 }, (text) => {
  expect(z.safeParse(CallInstant, text)).toEqual(z.safeParse(Instant, text))
})
