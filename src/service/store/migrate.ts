import * as z from 'zod/mini'
import type { StoreLogger } from './folder-guard'
import { type Sql, sql } from './sql'
import type { Store } from './store'
import { StoreError } from './store-error'

/** Tables that can be filled again from `calls` at any time. */
export type DerivedTable =
  | 'call_starts'
  | 'deleted_calls'
  | 'trace_calls'
  | 'thread_spans'
  | 'turns'
  | 'turns_by_start'
  | 'threads'
  | 'spent_calls'
  | 'spent_before'
  | 'thread_calls'
  | 'thread_words'
  | 'searched_before'

/** A migration, or the rebuild of a derived table, may read a whole table. */
export const maxRebuildSeconds = 600

/** Empties these tables and fills them from what they derive from. */
export type RebuildDerived = (store: Store, tables: ReadonlySet<DerivedTable>, logger?: StoreLogger) => Promise<void>

/**
 * One step of the tables' history. Statements must bear being run again, because a start may be interrupted. `rebuilds` are
 * the derived tables that the step adds or changes. `needsSetting` names a setting of tables that older ClickHouse servers do not know:
 * there the step is left out, until the server is newer.
 */
export type Migration = {
  number: number
  name: string
  statements: readonly Sql[]
  rebuilds?: readonly DerivedTable[]
  needsSetting?: string
}

const AppliedRow = z.object({ number: z.number(), name: z.string() })

/**
 * Runs the migrations that the store has not had, by number, also one that was added to the code after a later one. Derived
 * tables are rebuilt once, after the last statement, since the code that fills them expects the newest columns.
 * Rejects a store that has had a migration with a higher number than this code knows, or another one with the same number:
 * there is no way back.
 */
export async function migrate(
  store: Store,
  migrations: readonly Migration[],
  rebuildDerived: RebuildDerived,
  logger?: StoreLogger,
): Promise<void> {
  await store.command(sql`
CREATE TABLE IF NOT EXISTS migrations (number UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
ENGINE = MergeTree ORDER BY number SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`)
  const rows = await store.query(sql`SELECT DISTINCT number, name FROM migrations ORDER BY number`, AppliedRow)
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
  for (const { number, name } of rows) {
    const own = migrations.find((migration) => migration.number === number)
    if (!own || own.name === name) continue
    throw new StoreError(
      'failed',
      `The store was written by a different build of Spool (step ${number} of its tables is '${name}', here it is '${own.name}'). ` +
        'Start that build, or use another data folder or database.',
    )
  }
  const missing = await leaveOutUnsupported(
    store,
    migrations.filter(({ number }) => !applied.has(number)).toSorted((left, right) => left.number - right.number),
  )
  if (missing.length === 0) return
  for (const { statements } of missing) {
    // Each statement may need the one before it.
    for (const statement of statements) await store.command(statement, { maxSeconds: maxRebuildSeconds })
  }
  await rebuildDerived(store, new Set(missing.flatMap(({ rebuilds = [] }) => rebuilds)), logger)
  await store.insert(
    'migrations',
    missing.map(({ number, name }) => ({ number, name })),
  )
}

async function leaveOutUnsupported(store: Store, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const needed = migrations.flatMap(({ needsSetting }) => needsSetting ?? [])
  if (needed.length === 0) return migrations
  const known = await store.query(
    sql`SELECT name FROM system.merge_tree_settings WHERE name IN ${needed}`,
    z.object({ name: z.string() }),
  )
  const names = new Set(known.map(({ name }) => name))
  return migrations.filter(({ needsSetting }) => needsSetting === undefined || names.has(needsSetting))
}
