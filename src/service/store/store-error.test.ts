import { expect, test } from 'vitest'
import { StoreError, toStoreError } from './store-error'

test('an error of the engine becomes one with its number, its name and the statement, without what it quotes', () => {
  const cause = new Error(
    "Code: 27. DB::Exception: Cannot parse input: expected '\"' before: 'secret'. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)",
  )
  const error = toStoreError(cause, 'INSERT INTO calls')
  expect(error).toMatchObject({ name: 'StoreError', kind: 'bad_row', code: 27, cause })
  expect(error.message).toBe('CANNOT_PARSE_INPUT_ASSERTION_FAILED (27) in INSERT INTO calls')
})

test('a lost connection is unavailable; the address, which may hold a password, is not in the message', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED http://me:secret@127.0.0.1:9'), { code: 'ECONNREFUSED' })
  expect(toStoreError(cause)).toMatchObject({ kind: 'unavailable', message: 'no connection (ECONNREFUSED)' })
})

test('any other error is named by its type, whatever its text quotes', () => {
  expect(toStoreError(new SyntaxError('Unexpected token secret'), 'SELECT\n  1').message).toBe('SyntaxError in SELECT 1')
  expect(toStoreError('secret').message).toBe('string')
  const own = new StoreError('failed', 'as it is')
  expect(toStoreError(own)).toBe(own)
})

test.each([
  ['Code: 241. DB::Exception: Query memory limit exceeded: would use 12.19 MiB. (MEMORY_LIMIT_EXCEEDED)', 'too_much_memory'],
  ['Code: 241. DB::Exception: (total) memory limit exceeded: would use 4 GiB. (MEMORY_LIMIT_EXCEEDED)', 'unavailable'],
  ['Code: 62. DB::Exception: Max query size exceeded (can be increased). (SYNTAX_ERROR)', 'too_complex'],
  ['Code: 62. DB::Exception: Syntax error: failed at position 8. (SYNTAX_ERROR)', 'failed'],
  ['Code: 306. DB::Exception: Maximum parse depth (1000) exceeded. (TOO_DEEP_RECURSION)', 'too_complex'],
])('%s is %s', (message, kind) => {
  expect(toStoreError(new Error(message)).kind).toBe(kind)
})
