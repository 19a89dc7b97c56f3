import { expect, test } from 'vitest'
import { OverloadedError } from './ingest/overloaded-error'
import { toHttpError } from './to-http-error'
import { StoreError } from './store/store-error'

test.each([
  [new StoreError('timed_out', 'Code: 159. DB::Exception: secret'), 504, undefined],
  [new StoreError('unavailable', 'Code: 241. DB::Exception: secret'), 503, '5'],
  [new OverloadedError(3), 429, '3'],
])('%s is told to the sender without its inner words', (error, status, retryAfter) => {
  const refusal = toHttpError(error)
  expect([refusal?.status, refusal?.headers['retry-after']]).toEqual([status, retryAfter])
  expect(JSON.stringify(refusal?.problems)).not.toContain('secret')
})

test.each([
  new StoreError('failed', 'x'),
  new StoreError('bad_row', 'x'),
  new StoreError('aborted', 'x'),
  new Error('x'),
  'text',
  undefined,
])('%s is a fault of ours', (error) => {
  expect(toHttpError(error)).toBeUndefined()
})
