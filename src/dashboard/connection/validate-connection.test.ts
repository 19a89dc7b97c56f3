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
  ['spool.example.com', true, /starts with https.*example https:\/\/spool\.example\.com$/],
  ['traces.acme.io:8443/base', true, /example https:\/\/traces\.acme\.io:8443\/base$/],
  ['localhost:7766', true, /example http:\/\/localhost:7766$/],
  ['127.0.0.1:7766', true, /example http:\/\/127\.0\.0\.1:7766$/],
  ['https:/traces.acme.io', true, /example https:\/\/traces\.acme\.io$/],
  ['https:///traces.acme.io', true, /example https:\/\/traces\.acme\.io$/],
  ['ftp://traces.acme.io', true, /example https:\/\/traces\.acme\.io$/],
  ['our trace server', true, /example https:\/\/spool\.example\.com$/],
  ['https://', true, /example https:\/\/spool\.example\.com$/],
  ['http://not an address', true, /example https:\/\/spool\.example\.com$/],
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
