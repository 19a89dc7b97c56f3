import { expect, test } from 'vitest'
import { readOpenFileLimit, toMaxConnections } from './max-connections'

test('a low limit of open files leaves room for the store', () => {
  expect(toMaxConnections(1024)).toBe(788)
  expect(toMaxConnections(260)).toBe(24)
})

test('a high or unknown limit allows 2,000 connections, the lowest 20', () => {
  expect([1_048_576, 4096, undefined, 64].map(toMaxConnections)).toEqual([2000, 2000, 2000, 20])
})

test('the limit of this process is read where the system tells it', () => {
  expect(readOpenFileLimit('/no/such/file')).toBe(undefined)
  if (process.platform === 'linux') expect(readOpenFileLimit()).toBeGreaterThan(0)
})
