import { readFileSync } from 'node:fs'

const defaultMaxConnections = 2000
/**
 * What the store, the log and three files of each of the engine's threads need, with room for merges and for connections that are
 * about to be refused: 170 were seen, and once more than 230 when hundreds of connections came at once.
 */
const otherFiles = 236
const minConnections = 20

/** How many files this process may have open. Undefined where the system does not say: macOS lets Node open as many as it needs. */
export function readOpenFileLimit(path = '/proc/self/limits'): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined // not Linux
  }
}

/**
 * Each connection is an open file. At the limit Node closes new connections unseen, also those of people who work, and the
 * store cannot open its files: so it must not be reached.
 */
export function toMaxConnections(openFileLimit: number | undefined): number {
  if (openFileLimit === undefined) return defaultMaxConnections
  return Math.min(defaultMaxConnections, Math.max(minConnections, openFileLimit - otherFiles))
}
