import { expect, test } from 'vitest'
import { BusyError, StatusError, UnauthorizedError, UnreachableError } from '../client/api-error'
import { serverCondition } from './server-condition'

const request = { method: 'POST', path: '/cost/query' }
const answered = (dataUpdatedAt: number) => ({ dataUpdatedAt, errorUpdatedAt: 0, error: null })
const failed = (errorUpdatedAt: number, error: unknown, dataUpdatedAt = 0) => ({ dataUpdatedAt, errorUpdatedAt, error })

test('not asked yet is not known', () => {
  expect(serverCondition([])).toBe('unknown')
  expect(serverCondition([answered(0)])).toBe('unknown')
})

test('the latest of all counts', () => {
  expect(serverCondition([failed(5, new UnreachableError(request)), answered(9)])).toBe('answering')
  expect(serverCondition([answered(5), failed(9, new UnreachableError(request), 4)])).toBe('unreachable')
})

test('a refusal is an answer, a failure of the server is not', () => {
  expect(serverCondition([failed(1, new UnauthorizedError(request))])).toBe('answering')
  expect(serverCondition([failed(1, new StatusError(request, 500, ''))])).toBe('failing')
  expect(serverCondition([failed(1, new BusyError(request, 503, undefined))])).toBe('busy')
})
