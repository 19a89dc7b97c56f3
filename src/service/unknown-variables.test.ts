import { expect, test } from 'vitest'
import { settingNames } from './settings'
import { listUnknownVariables } from './unknown-variables'

test('an unknown variable is named with those that exist, and without its value', () => {
  const [line, ...others] = listUnknownVariables({ SPOOL_ORIGIN: 'secret', SPOOL_ORIGINS: 'https://tools.example' })
  expect(line).toMatch(/^SPOOL_ORIGIN is ignored\. The variables are SPOOL_HOST, .*SPOOL_ORIGINS, .*SPOOL_LOG_LEVEL\.$/)
  expect(line).not.toContain('secret')
  expect(others).toEqual([])
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
