import { expect, test } from 'vitest'
import { settingNames } from './settings'
import { listUnknownVariables } from './unknown-variables'

test.each([
  ['SPOOL_ORIGIN', 'SPOOL_ORIGINS'],
  ['SPOOL_DATADIR', 'SPOOL_DATA'],
  ['SPOOL_STORE_URL', 'SPOOL_STORE'],
  ['SPOOL_LOGLEVEL', 'SPOOL_LOG_LEVEL'],
  ['SPOOL_LOG', 'SPOOL_LOG_LEVEL'],
  ['SPOOL_USER', 'SPOOL_USERNAME'],
  ['SPOOL_PROT', 'SPOOL_PORT'],
  ['SPOOL_HTTP_PORT', undefined],
  // SPOOL_HOST or SPOOL_PORT.
  ['SPOOL_POST', undefined],
])('%s is named, and %s as the one that was meant', (name, meant) => {
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  expect(listUnknownVariables({ [name]: 'secret' })).toEqual([`${name} is not a variable of Spool and is ignored.${hint}`])
})

test('variables that Spool, its clients and its tests read are known, and other names and empty values do not count', () => {
  expect(listUnknownVariables(Object.fromEntries(settingNames.map((name) => [name, 'x'])))).toEqual([])
  expect(listUnknownVariables({ SPOOL_KEY: 'x', SPOOL_TEST_SEED: '7', SPOOL_BENCH_LAG: '1' })).toEqual([])
  expect(listUnknownVariables({ PATH: '/bin', SPOOLER: 'x', MY_SPOOL_DATA: 'x', SPOOL_DATE: '', SPOOL_HOTS: undefined })).toEqual(
    [],
  )
})

test('what Kubernetes adds for services called spool and spool-web is known', () => {
  const links = {
    SERVICE_HOST: '10.0.0.1',
    SERVICE_PORT: '7766',
    SERVICE_PORT_HTTP: '7766',
    PORT: 'tcp://10.0.0.1:7766',
    PORT_7766_TCP: 'tcp://10.0.0.1:7766',
    PORT_7766_TCP_PROTO: 'tcp',
    PORT_7766_TCP_PORT: '7766',
    PORT_7766_TCP_ADDR: '10.0.0.1',
  }
  for (const prefix of ['SPOOL', 'SPOOL_WEB']) {
    const environment = Object.fromEntries(Object.entries(links).map(([name, value]) => [`${prefix}_${name}`, value]))
    expect(listUnknownVariables(environment)).toEqual([])
  }
})
