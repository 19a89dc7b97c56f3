import { expect, test } from 'vitest'
import {
  BusyError,
  ExposedPasswordError,
  ResponseSchemaError,
  StatusError,
  StreamInterruptedError,
  UnreachableError,
  ValidationError,
} from '../client/api-error'
import { noWords } from '../client/api-error'
import { getCreateOutcome } from './create-outcome'

const request = { method: 'POST', path: '/annotation_queues' }

test('a refusal creates no queue', () => {
  for (const error of [
    new ValidationError(request, noWords),
    new StatusError(request, 413),
    new BusyError(request, 429, 1),
    new ExposedPasswordError(request),
  ]) {
    expect(getCreateOutcome(error, false)).toBe('not-created')
  }
})

test('without a usable reply nobody knows', () => {
  for (const error of [
    new UnreachableError(request),
    new StreamInterruptedError(request),
    new ResponseSchemaError(request, 200, 'it is not JSON.'),
    new BusyError(request, 503, undefined),
    ...[408, 500, 502, 504].map((status) => new StatusError(request, status)),
  ]) {
    expect(getCreateOutcome(error, false)).toBe('unknown')
  }
})

test('a conflict means an earlier queue only where the server keeps keys', () => {
  expect(getCreateOutcome(new StatusError(request, 409), true)).toBe('created-earlier')
  expect(getCreateOutcome(new StatusError(request, 409), false)).toBe('not-created')
})
