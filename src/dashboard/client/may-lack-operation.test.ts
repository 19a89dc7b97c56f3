import { expect, test } from 'vitest'
import { connection } from '../../testing/render'
import { BusyError, ForbiddenError, NotFoundError, StatusError, UnauthorizedError, UnreachableError } from './api-error'
import { mayLackOperation } from './may-lack-operation'

const request = { method: 'POST', path: '/views/query' }

test.each([
  [new NotFoundError(request), true],
  [new StatusError(request, 405), true],
  [new StatusError(request, 501), true],
  [new UnauthorizedError(request), true],
  [new StatusError(request, 500), false],
  [new StatusError(request, 502), false],
  [new BusyError(request, 503, undefined), false],
  [new ForbiddenError(request), false],
  [new UnreachableError(request), false],
])('%s: %s', (error, expected) => {
  expect(mayLackOperation(error, connection)).toBe(expected)
})

test('no response from another origin may be a 404 that the page cannot read', () => {
  expect(mayLackOperation(new UnreachableError(request), { ...connection, baseUrl: 'https://trace.example' })).toBe(true)
})
