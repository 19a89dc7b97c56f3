import { expect, test } from 'vitest'
import { readSettings } from './settings'

test('what is not set has its usual value, and an empty variable is not set', () => {
  const usual = { host: '127.0.0.1', port: 7766, dataFolder: '.spool', hasSample: true }
  expect(readSettings({ SPOOL_PORT: '', PATH: '/bin' })).toMatchObject(usual)
  expect(
    readSettings({ SPOOL_PORT: '0', SPOOL_HOST: '::1', SPOOL_SAMPLE: 'off', SPOOL_STORE: 'http://u:p@h:8123/db' }),
  ).toMatchObject({
    port: 0,
    host: '::1',
    hasSample: false,
    storeUrl: 'http://u:p@h:8123/db',
  })
})

test.each([
  [{ SPOOL_PORT: 'abc' }, /^SPOOL_PORT must be a whole number from 0 to 65535\.$/],
  [{ SPOOL_PORT: '65536' }, /^SPOOL_PORT /],
  [{ SPOOL_PORT: '-1' }, /^SPOOL_PORT /],
  [{ SPOOL_PORT: '1.5' }, /^SPOOL_PORT /],
  [{ SPOOL_HOST: 'a b' }, /^SPOOL_HOST /],
  [{ SPOOL_STORE: 'localhost:8123' }, /^SPOOL_STORE must be an address/],
  [{ SPOOL_UPSTREAM: 'ftp://x' }, /^SPOOL_UPSTREAM must be an address/],
  [{ SPOOL_SAMPLE: 'yes' }, /^SPOOL_SAMPLE must be 'on' or 'off'\.$/],
  [{ SPOOL_USERNAME: 'me' }, /SPOOL_PASSWORD is not/],
  [{ SPOOL_PASSWORD: 'secret' }, /SPOOL_USERNAME is not.*'unset SPOOL_PASSWORD'/],
  [{ SPOOL_USERNAME: 'a:b', SPOOL_PASSWORD: 'x' }, /^SPOOL_USERNAME must not contain ':'/],
  [{ SPOOL_STORE: 'http://h/db', SPOOL_UPSTREAM: 'http://h' }, /both set/],
])('%j is refused in one line', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message)
  try {
    readSettings(environment)
  } catch (error) {
    expect(String(error)).not.toMatch(/\n|secret/)
  }
})
