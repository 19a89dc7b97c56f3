import { serviceAddress, settingNames } from './settings'

/** Read by clients, tests and the benchmark, which may run in the same shell. */
const otherNames = new Set(['SPOOL_KEY', 'SPOOL_PROJECT', 'SPOOL_URL', 'SPOOL_TEST_SEED', 'SPOOL_BENCH_LAG'])

/** What Kubernetes adds for services called spool or spool-something. */
const serviceLink = /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/

const maxTypos = 2

/**
 * A line for each SPOOL_* variable that nothing reads. It is no reason to end the start: a variable of a later version must not
 * keep an older one from starting.
 *
 * @example
 * listUnknownVariables({ SPOOL_ORIGIN: 'https://tools.example' })
 * // ['SPOOL_ORIGIN is not a variable of Spool and is ignored. Did you mean SPOOL_ORIGINS?']
 */
export function listUnknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith('SPOOL_') || value === '' || settingNames.includes(name) || otherNames.has(name)) return []
    if (serviceLink.test(name) || serviceAddress.test(value)) return []
    const near = findNearName(name)
    return `${name} is not a variable of Spool and is ignored.${near === undefined ? '' : ` Did you mean ${near}?`}`
  })
}

/** The one setting that differs by a few letters, or that is a beginning of the name, or the reverse (SPOOL_DATADIR, SPOOL_USER). */
function findNearName(name: string): string | undefined {
  const candidates = settingNames
    .map((setting) => ({ setting, distance: countEdits(name, setting) }))
    .filter(({ setting, distance }) => distance <= maxTypos || setting.startsWith(name) || name.startsWith(setting))
    .toSorted((left, right) => left.distance - right.distance)
  const [first, second] = candidates
  return first?.distance === second?.distance ? undefined : first?.setting
}

/** How many letters to insert, delete or replace (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
