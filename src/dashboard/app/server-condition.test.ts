import { expect, test } from 'vitest'
import { BusyError, StatusError, UnauthorizedError, UnreachableError } from '../client/api-error'
import { serverCondition } from './server-condition'

const request = { method: 'POST', path: '/cost/query' }
const succeeded = (dataUpdatedAt: number) => ({ dataUpdatedAt, errorUpdatedAt: 0, error: null })
const failed = (errorUpdatedAt: number, error: unknown, dataUpdatedAt = 0) => ({ dataUpdatedAt, errorUpdatedAt, error })

test('without any request the condition is unknown', () => {
  expect(serverCondition([])).toBe('unknown')
  expect(serverCondition([succeeded(0)])).toBe('unknown')
})

test('the latest response or failure decides', () => {
  expect(serverCondition([failed(5, new UnreachableError(request)), succeeded(9)])).toBe('responding')
  expect(serverCondition([succeeded(5), failed(9, new UnreachableError(request), 4)])).toBe('unreachable')
})

test('a 4xx is a response, a 5xx is a failure of the server', () => {
  expect(serverCondition([failed(1, new UnauthorizedError(request))])).toBe('responding')
  expect(serverCondition([failed(1, new StatusError(request, 500))])).toBe('failing')
  expect(serverCondition([failed(1, new BusyError(request, 503, undefined))])).toBe('busy')
})

test('while the request that failed last is sent again, nothing new is known', () => {
  expect(serverCondition([succeeded(3), failed(9, null)])).toBeUndefined()
})
