// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { validateBaseUrl, validateProjectId } from './validate-connection'

test.each([
  ['', true, undefined],
  ['https://spool.example.com', true, undefined],
  ['https://spool.example.com/base', true, undefined],
  ['http://127.0.0.1:7766', true, undefined],
  ['http://localhost:7766', true, undefined],
  ['http://spool.example.com', false, undefined],
  ['http://spool.example.com', true, /plain http/],
  ['spool.example.com', true, /must start/i],
  ['ftp://spool.example.com', true, /must start/i],
  ['https://ann:secret@spool.example.com', true, /own fields/],
  ['https://spool.example.com?x=1', true, /'\?'/],
])('the address %o with a password: %o', (baseUrl, hasPassword, expected) => {
  const problem = validateBaseUrl(baseUrl, hasPassword)
  if (expected) expect(problem).toMatch(expected)
  else expect(problem).toBeUndefined()
})

test('a project is entity/project', () => {
  expect(validateProjectId('acme/support')).toBeUndefined()
  expect(validateProjectId('acme')).toMatch(/entity/)
})
