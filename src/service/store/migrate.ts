import * as z from 'zod/mini'
import type { Store } from './store'
import { StoreError } from './store-error'

/** One step of the tables' history. Every statement must bear being run again: a start may have been cut short. */
export type Migration = { number: number; name: string; statements: readonly string[] }

const Applied = z.object({ newest: z.number() })

/** Runs what the store has not seen yet, in order. Forward only: a store that has seen more than this code knows is refused. */
export async function migrate(store: Store, migrations: readonly Migration[]): Promise<void> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS migrations (number UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
     ENGINE = MergeTree ORDER BY number SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  const [applied] = await store.query('SELECT max(number) AS newest FROM migrations', {}, Applied)
  const newest = applied?.newest ?? 0
  const known = Math.max(0, ...migrations.map(({ number }) => number))
  if (newest > known) {
    throw new StoreError(
      'failed',
      `The store was written by a newer version of Spool (its tables are at step ${newest}, this version knows ${known}). ` +
        'Start that version or a later one.',
    )
  }
  for (const { number, name, statements } of migrations.filter((migration) => migration.number > newest)) {
    // Each statement may need the one before it.
    for (const statement of statements) await store.command(statement)
    await store.insert('migrations', [{ number, name }])
  }
}
