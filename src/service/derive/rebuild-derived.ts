import * as z from 'zod/mini'
import type { DerivedTable } from '../store/migrate'
import { identifier, type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import { aggregateThreads } from './derive-threads'
import { runDerivation } from './derivation'
import { deriveTurns } from './derive-turns'

type Derivation = { tables: readonly DerivedTable[]; fill: (store: Store) => Promise<void> }

/**
 * How each derived table is filled from what it derives from. Each needs only `calls` and the tables before it. Where turns
 * are derived in another way than before, rebuild `threads` with them: the versions of its rows compare only turns that grow.
 */
const derivations: readonly Derivation[] = [
  { tables: ['call_starts'], fill: (store) => store.command(copyCallStarts(sql`1`)) },
  { tables: ['deleted_calls'], fill: (store) => store.command(copyDeletedCalls(sql`1`)) },
  { tables: ['thread_spans', 'turns'], fill: deriveAllTurns },
  { tables: ['turns_by_start'], fill: (store) => store.command(copyAllTurnsByStart) },
  { tables: ['threads'], fill: (store) => store.command(aggregateThreads(sql`1`)) },
]

/**
 * Empties these tables and fills them again. For migrations, after a derived table was added or its definition changed. A
 * rebuild that was interrupted must be run again from the start.
 */
export async function rebuildDerived(store: Store, tables: ReadonlySet<DerivedTable>): Promise<void> {
  for (const derivation of derivations) {
    const ownTables = derivation.tables.filter((table) => tables.has(table))
    for (const table of ownTables) await store.command(sql`TRUNCATE TABLE ${identifier(table)}`)
    if (ownTables.length > 0) await derivation.fill(store)
  }
}

/** Copies the starts of the calls that meet `condition`. A view does that with every insert into `calls`. */
export function copyCallStarts(condition: Sql): Sql {
  return sql`
INSERT INTO call_starts (project_id, started_at, id, trace_id, parent_id, thread_id, turn_id, op_name, is_span)
SELECT project_id, assumeNotNull(started_at), id, trace_id, parent_id, thread_id, turn_id, op_name, is_span
FROM calls WHERE calls.started_at IS NOT NULL AND ${condition}`
}

/** Copies the ids of deleted calls that meet `condition`. A view does that with every insert into `calls`. */
export function copyDeletedCalls(condition: Sql): Sql {
  return sql`INSERT INTO deleted_calls (project_id, id)
SELECT project_id, id FROM calls WHERE calls.deleted_at IS NOT NULL AND ${condition}`
}

const copyAllTurnsByStart = sql`
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT project_id, started_at, thread_id, id, ended_at, 0 FROM turns FINAL WHERE is_retracted = 0`

const ProjectRow = z.object({ project_id: z.string() })
const CallRow = z.object({ id: z.string() })
const callsPerPage = 1000

/** In pages, by the same steps as after a write: whether a span is a turn takes several statements to find out. */
async function deriveAllTurns(store: Store): Promise<void> {
  for (const { project_id: projectId } of await store.query(sql`SELECT DISTINCT project_id FROM calls`, ProjectRow)) {
    let lastId = ''
    for (;;) {
      // Parts are not merged here, so a page may name a call twice.
      const page = sql`
SELECT id FROM calls WHERE project_id = ${projectId} AND id > ${lastId} AND notEmpty(thread_ids)
ORDER BY id LIMIT ${uint64(callsPerPage)}`
      const ids = (await store.query(page, CallRow)).map(({ id }) => id)
      await runDerivation(
        deriveTurns(
          store,
          [...new Set(ids)].map((id) => ({ project_id: projectId, id })),
        ),
      )
      if (ids.length < callsPerPage) break
      lastId = ids.at(-1) ?? ''
    }
  }
}
