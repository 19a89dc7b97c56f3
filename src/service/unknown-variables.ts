import { serviceAddress, settingNames } from './settings'

/** Read by clients, tests and the benchmark, which may run in the same shell. */
const otherNames = new Set(['SPOOL_KEY', 'SPOOL_PROJECT', 'SPOOL_URL', 'SPOOL_TEST_SEED', 'SPOOL_BENCH_LAG'])

/** What Kubernetes adds for services called spool or spool-something. */
const serviceLink = /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/

/**
 * A line that names the SPOOL_* variables which nothing reads; undefined where there are none. They are no reason to end the
 * start: a variable of a later version must not keep an older one from starting.
 *
 * @example
 * describeUnknownVariables({ SPOOL_ORIGIN: 'https://tools.example' })
 * // 'Ignored: SPOOL_ORIGIN. The variables of Spool are SPOOL_HOST, SPOOL_PORT, ...'
 */
export function describeUnknownVariables(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const unknown = Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith('SPOOL_') || value === '' || settingNames.includes(name) || otherNames.has(name)) return []
    return serviceLink.test(name) || serviceAddress.test(value) ? [] : name
  })
  if (unknown.length === 0) return undefined
  return `Ignored: ${unknown.join(', ')}. The variables of Spool are ${settingNames.join(', ')}.`
}
