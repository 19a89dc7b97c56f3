import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { compareInstants, formatInstant, Instant, parseInstant } from './instant'

test('times with an offset are converted to UTC', () => {
  expect(z.parse(Instant, '2026-01-31T10:30:00+01:00')).toBe('2026-01-31T09:30:00Z')
  expect(parseInstant('1970-01-01T00:00:01Z')).toBe(1_000_000n)
})

test.each([
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30:00z', '2026-01-31T09:30:00Z'],
  ['2026-01-31t09:30Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31 09:30:00', '2026-01-31T09:30:00Z'],
  ['2026-01-31', '2026-01-31T00:00:00Z'],
  ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00Z'],
  ['2026-01-31T23:30:00-0130', '2026-02-01T01:00:00Z'],
  ['2026-01-31T09:30:00+02', '2026-01-31T07:30:00Z'],
  ['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00.500000Z'],
  ['2026-01-31T09:30:00.000000Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123456Z'],
  ['1900-01-01T00:00:00.000001Z', '1900-01-01T00:00:00.000001Z'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  ['2298-12-31T23:59:59.999999Z', '2298-12-31T23:59:59.999999Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
])('%s is parsed as %s', (text, expected) => {
  expect(z.parse(Instant, text)).toBe(expected)
})

test.each([
  '',
  'yesterday',
  '2026-13-01',
  '2026-02-30',
  '2025-02-29',
  '2026-01-31T24:00:00Z',
  '2026-01-31T09:60:00Z',
  '2026-01-31T09:30:61Z',
  '2026-01-31T09:30:00+25:00',
  '20260131',
  '1899-12-31T23:59:59.999999Z',
  '0099-12-31',
  '0050-01-01T00:00:00Z',
  '0000-01-01',
  '1900-01-01T00:30:00+01:00',
  '2299-01-01',
  '9999-12-31T00:00:00Z',
  '2026-01-31T09:30:00Z; DROP TABLE calls',
])('%j is rejected, and the message shows the expected form', (text) => {
  const result = z.safeParse(Instant, text)
  expect(result.success).toBe(false)
  expect(result.error?.issues[0]).toMatchObject({ code: 'custom', params: { type: 'datetime_parsing' } })
  expect(result.error?.issues[0]?.message).toMatch(/Expected/)
})

test('formatting and parsing keep every microsecond', () => {
  for (const microseconds of [0n, 1n, -1n, 999_999n, -1_000_001n, 1_790_000_000_123_456n]) {
    expect(parseInstant(formatInstant(microseconds))).toBe(microseconds)
  }
})

test('instants are ordered by time, with and without a fraction', () => {
  const ordered = ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.500000Z', '2026-01-31T09:30:01Z']
  expect(ordered.toReversed().toSorted(compareInstants)).toEqual(ordered)
  expect(compareInstants('2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z')).toBe(0)
})
