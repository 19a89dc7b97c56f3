import { serviceAddress, settingNames } from './settings'

/** Read by clients, tests and the benchmark, which may run in the same shell. */
const otherNames = new Set(['SPOOL_KEY', 'SPOOL_PROJECT', 'SPOOL_URL', 'SPOOL_TEST_SEED', 'SPOOL_BENCH_LAG'])

/** What Kubernetes adds for services called spool or spool-something. */
const serviceLink = /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/

/**
 * A line for each SPOOL_* variable that nothing reads. It is no reason to end the start: a variable of a later version must not
 * keep an older one from starting.
 *
 * @example
 * listUnknownVariables({ SPOOL_ORIGIN: 'https://tools.example' })
 * // ['SPOOL_ORIGIN is ignored. The variables are SPOOL_HOST, SPOOL_PORT, ...']
 */
export function listUnknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith('SPOOL_') || value === '' || settingNames.includes(name) || otherNames.has(name)) return []
    if (serviceLink.test(name) || serviceAddress.test(value)) return []
    return `${name} is ignored. The variables are ${settingNames.join(', ')}.`
  })
}
