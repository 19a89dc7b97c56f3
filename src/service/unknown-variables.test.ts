import { expect, test } from 'vitest'
import { settingNames } from './settings'
import { describeUnknownVariables } from './unknown-variables'

test('unknown variables are named with those that exist, and without their values', () => {
  const line = describeUnknownVariables({ SPOOL_ORIGIN: 'secret', SPOOL_PROT: 'secret', SPOOL_ORIGINS: 'https://tools.example' })
  expect(line).toMatch(/^Ignored: SPOOL_ORIGIN, SPOOL_PROT\. The variables of Spool are SPOOL_HOST, .*, SPOOL_LOG_LEVEL\.$/)
  expect(line).not.toContain('secret')
})

test('variables that Spool, its clients and its tests read are known, and other names and empty values do not count', () => {
  expect(describeUnknownVariables(Object.fromEntries(settingNames.map((name) => [name, 'x'])))).toBeUndefined()
  expect(describeUnknownVariables({ SPOOL_KEY: 'x', SPOOL_TEST_SEED: '7', SPOOL_BENCH_LAG: '1' })).toBeUndefined()
  expect(
    describeUnknownVariables({ PATH: '/bin', SPOOLER: 'x', MY_SPOOL_DATA: 'x', SPOOL_DATE: '', SPOOL_HOTS: undefined }),
  ).toBeUndefined()
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
    expect(describeUnknownVariables(environment)).toBeUndefined()
  }
})
