import { expect, test } from 'vitest'
import { isLoopbackHost, parseRetryAfterMs } from './http'

const now = Date.parse('2026-01-31T09:30:00Z')

test('Retry-After is a number of seconds or a date', () => {
  expect(parseRetryAfterMs('5', now)).toBe(5000)
  expect(parseRetryAfterMs('Sat, 31 Jan 2026 09:30:07 GMT', now)).toBe(7000)
})

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['1.5', 1500],
  ['86400', 86_400_000],
  ['-1', 0],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
])('Retry-After %j asks to wait %j ms', (header, ms) => {
  expect(parseRetryAfterMs(header, now)).toBe(ms)
})

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
  ['spool.example.com', false],
])('%s is this machine: %j', (hostname, expected) => {
  expect(isLoopbackHost(hostname)).toBe(expected)
})
