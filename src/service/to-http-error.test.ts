import { expect, test } from 'vitest'
import { DerivationBehindError } from './derive/derivation-behind-error'
import { OverloadedError } from './ingest/overloaded-error'
import { toHttpError } from './to-http-error'
import { StoreError } from './store/store-error'

test.each([
  [new StoreError('timed_out', 'Code: 159. DB::Exception: secret'), 504, undefined],
  [new StoreError('unavailable', 'Code: 241. DB::Exception: secret'), 503, '5'],
  [new StoreError('overloaded', 'secret'), 429, '2'],
  [new StoreError('busy', 'secret'), 503, '5'],
  [new OverloadedError(3), 429, '3'],
])('%s becomes a response without its message', (error, status, retryAfter) => {
  const response = toHttpError(error)
  expect([response?.status, response?.headers['retry-after']]).toEqual([status, retryAfter])
  expect(JSON.stringify(response?.problems)).not.toContain('secret')
})

test('what is still derived is told in words that are true of turns and of spend', () => {
  expect(toHttpError(new DerivationBehindError(5))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    problems: [{ type: 'derivation_behind', msg: expect.not.stringMatching(/turn|thread|spend/i) }],
  })
})

test.each([
  new StoreError('failed', 'x'),
  new StoreError('bad_row', 'x'),
  new StoreError('aborted', 'x'),
  new Error('x'),
  'text',
  undefined,
])('%s is unexpected, and so a 500', (error) => {
  expect(toHttpError(error)).toBeUndefined()
})
