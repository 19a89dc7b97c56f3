import { expect, test } from 'vitest'
import { readSettings } from './settings'

test('unset and empty variables have their default', () => {
  const defaults = { host: '127.0.0.1', port: 7766, dataFolder: '.spool', hasSample: true, logLevel: 'info' }
  expect(readSettings({ SPOOL_PORT: '', PATH: '/bin' })).toMatchObject(defaults)
  expect(
    readSettings({
      SPOOL_PORT: '0',
      SPOOL_HOST: '::1',
      SPOOL_SAMPLE: 'off',
      SPOOL_STORE: 'http://u:p@h:8123/db',
      SPOOL_LOG_LEVEL: 'debug',
    }),
  ).toMatchObject({ port: 0, host: '::1', hasSample: false, storeUrl: 'http://u:p@h:8123/db', logLevel: 'debug' })
})

test('lists are read with their case and spaces made equal', () => {
  const lists = {
    SPOOL_HOSTS: 'Spool.Example, .internal:8080,[::1]',
    SPOOL_ORIGINS: 'https://Tools.example:443/ ,http://a:8080,',
  }
  expect(readSettings(lists)).toMatchObject({
    allowedHosts: ['spool.example', '.internal:8080', '[::1]'],
    allowedOrigins: ['https://tools.example', 'http://a:8080'],
  })
  expect(readSettings({})).toMatchObject({ allowedHosts: [], allowedOrigins: [] })
})

test.each([
  [{ SPOOL_PORT: 'abc' }, /^SPOOL_PORT must be a whole number from 0 to 65535\.$/],
  [{ SPOOL_PORT: '65536' }, /^SPOOL_PORT /],
  [{ SPOOL_PORT: '-1' }, /^SPOOL_PORT /],
  [{ SPOOL_PORT: '1.5' }, /^SPOOL_PORT /],
  [{ SPOOL_PORT: 'tcp://10.0.0.1:7766' }, /^SPOOL_PORT was set by Kubernetes, .*'enableServiceLinks: false'/],
  [{ SPOOL_HOST: 'a b' }, /^SPOOL_HOST /],
  [{ SPOOL_HOSTS: 'spool.example,*' }, /^SPOOL_HOSTS must be a list of host names such as '.*'; '\*' is not possible\.$/],
  [{ SPOOL_HOSTS: 'https://spool.example' }, /^SPOOL_HOSTS must be a list of host names/],
  [{ SPOOL_ORIGINS: '*' }, /^SPOOL_ORIGINS must be a list of origins such as '.*'; '\*' is not possible\.$/],
  [{ SPOOL_ORIGINS: 'https://a.example/secret' }, /^SPOOL_ORIGINS must be/],
  [{ SPOOL_ORIGINS: 'https://a.example,spool.example' }, /^SPOOL_ORIGINS must be/],
  [{ SPOOL_ORIGINS: 'null' }, /^SPOOL_ORIGINS must be/],
  [{ SPOOL_STORE: 'localhost:8123' }, /^SPOOL_STORE must be an address/],
  [{ SPOOL_UPSTREAM: 'ftp://x' }, /^SPOOL_UPSTREAM must be an address/],
  [{ SPOOL_SAMPLE: 'yes' }, /^SPOOL_SAMPLE must be 'on' or 'off'\.$/],
  [{ SPOOL_LOG_LEVEL: 'INFO' }, /^SPOOL_LOG_LEVEL must be one of debug, info, warn, error, silent\.$/],
  [{ SPOOL_USERNAME: 'me' }, /SPOOL_PASSWORD is not/],
  [{ SPOOL_PASSWORD: 'secret' }, /SPOOL_USERNAME is not.*'unset SPOOL_PASSWORD'/],
  [{ SPOOL_USERNAME: 'a:b', SPOOL_PASSWORD: 'x' }, /^SPOOL_USERNAME must not contain ':'/],
  [{ SPOOL_STORE: 'http://h/db', SPOOL_UPSTREAM: 'http://h' }, /both set, but/],
  [{ SPOOL_UPSTREAM: 'https://me:hunter2@h' }, /^SPOOL_UPSTREAM contains a user name or password\. (?!.*hunter2)/],
  [{ SPOOL_UPSTREAM: 'http://h', SPOOL_USERNAME: 'me', SPOOL_PASSWORD: 'pw' }, /^SPOOL_USERNAME and SPOOL_UPSTREAM are both/],
])('%j is rejected in one line that does not quote the value', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message)
  try {
    readSettings(environment)
  } catch (error) {
    expect(String(error)).not.toMatch(/\n|secret/)
  }
})
