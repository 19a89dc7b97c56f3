import * as z from 'zod/mini'
import type { Store } from './store'
import { StoreError } from './store-error'

/** One step of the tables' history. Every statement must bear being run again: a start may have been cut short. */
export type Migration = { number: number; name: string; statements: readonly string[] }

const Applied = z.object({ number: z.number() })

/**
 * Runs what the store has not seen yet, by number; a step that came to the code after a later one is run all the same.
 * Forward only: a store that has seen more than this code knows is refused.
 */
export async function migrate(store: Store, migrations: readonly Migration[]): Promise<void> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS migrations (number UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
     ENGINE = MergeTree ORDER BY number SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  const rows = await store.query('SELECT DISTINCT number FROM migrations', {}, Applied)
  const applied = new Set(rows.map(({ number }) => number))
  const newest = Math.max(0, ...applied)
  const known = Math.max(0, ...migrations.map(({ number }) => number))
  if (newest > known) {
    throw new StoreError(
      'failed',
      `The store was written by a newer version of Spool (its tables are at step ${newest}, this version knows ${known}). ` +
        'Start that version or a later one.',
    )
  }
  const missing = migrations.filter(({ number }) => !applied.has(number)).toSorted((left, right) => left.number - right.number)
  for (const { number, name, statements } of missing) {
    // Each statement may need the one before it.
    for (const statement of statements) await store.command(statement)
    await store.insert('migrations', [{ number, name }])
  }
}
