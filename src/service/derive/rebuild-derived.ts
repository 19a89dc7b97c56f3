import * as z from 'zod/mini'
import { type DerivedTable, maxRebuildSeconds } from '../store/migrate'
import { identifier, type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import { selectTraceCalls } from '../store/trace-tables'
import type { StoreLogger } from '../store/folder-guard'
import { type CallKey, runDerivation } from './derivation'
import { classifyFailure } from './derivation-failure'
import { aggregateThreads } from './derive-threads'
import { deriveTurns } from './derive-turns'
import { Quarantine } from './quarantine'

type Rebuild = { store: Store; logger: StoreLogger | undefined; quarantine: Quarantine }
type Derivation = { tables: readonly DerivedTable[]; run: (rebuild: Rebuild) => Promise<void> }

const runStatement =
  (statement: Sql) =>
  async ({ store }: Rebuild) =>
    store.command(statement, { maxSeconds: maxRebuildSeconds })

/**
 * How each derived table is filled from what it derives from. Each needs only `calls` and the tables before it. Where turns
 * are derived in another way than before, rebuild `threads` with them: the versions of its rows compare only turns that grow.
 */
const derivations: readonly Derivation[] = [
  { tables: ['call_starts'], run: runStatement(copyCallStarts(sql`1`)) },
  { tables: ['deleted_calls'], run: runStatement(copyDeletedCalls(sql`1`)) },
  { tables: ['trace_calls'], run: runStatement(copyTraceCalls(sql`1`)) },
  // Without its watermark, all of it is derived again in the background (SpendDeriver).
  { tables: ['spent_calls', 'spent_before'], run: async () => {} },
  // The same (SearchDeriver).
  { tables: ['thread_calls', 'thread_words', 'searched_before'], run: async () => {} },
  { tables: ['thread_spans', 'turns'], run: deriveAllTurns },
  {
    tables: ['turns_by_start'],
    run: runStatement(sql`
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT project_id, started_at, thread_id, id, ended_at, 0 FROM turns FINAL WHERE is_retracted = 0`),
  },
  { tables: ['threads'], run: runStatement(aggregateThreads(sql`1`)) },
]

/**
 * Empties these tables and fills them again. For migrations, after a derived table was added or its definition changed. A
 * rebuild that was interrupted must be run again from the start.
 */
export async function rebuildDerived(store: Store, tables: ReadonlySet<DerivedTable>, logger?: StoreLogger): Promise<void> {
  if (tables.size === 0) return
  // Where there are no calls, it takes no time.
  const hasCalls = (await store.query(sql`SELECT id FROM calls LIMIT 1`, CallRow)).length > 0
  if (hasCalls) logger?.info({ tables: [...tables] }, 'derived tables are filled again from the calls, which may take minutes')
  const rebuild = { store, logger, quarantine: new Quarantine(store) }
  for (const derivation of derivations) {
    const ownTables = derivation.tables.filter((table) => tables.has(table))
    if (ownTables.length === 0) continue
    for (const table of ownTables) await store.command(sql`TRUNCATE TABLE ${identifier(table)}`)
    await derivation.run(rebuild)
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

/** Copies the places of the calls that meet `condition` in their traces. A view does that with every insert into `calls`. */
export function copyTraceCalls(condition: Sql): Sql {
  return sql`INSERT INTO trace_calls (project_id, trace_id, id, parent_id, thread_id, turn_id, started_at, is_span, is_conversation,
  has_failed, is_deleted)
${selectTraceCalls(sql`arrayJoin(if(empty(all_trace_ids), [''], all_trace_ids))`, condition)}`
}

const ProjectRow = z.object({ project_id: z.string() })
const CallRow = z.object({ id: z.string() })
const callsPerPage = 1000

/** In pages, by the same steps as after a write: whether a span is a turn takes several statements to find out. */
async function deriveAllTurns(rebuild: Rebuild): Promise<void> {
  const { store } = rebuild
  for (const { project_id: projectId } of await store.query(sql`SELECT DISTINCT project_id FROM calls`, ProjectRow)) {
    let lastId = ''
    for (;;) {
      // Parts are not merged here, so a page may name a call twice.
      const page = sql`
SELECT id FROM calls WHERE project_id = ${projectId} AND id > ${lastId} AND notEmpty(thread_ids)
ORDER BY id LIMIT ${uint64(callsPerPage)}`
      const ids = (await store.query(page, CallRow)).map(({ id }) => id)
      const calls = [...new Set(ids)].map((id) => ({ project_id: projectId, id }))
      await deriveOrSetAside(rebuild, calls)
      if (ids.length < callsPerPage) break
      lastId = ids.at(-1) ?? ''
    }
  }
}

/**
 * Derives the turns of these calls. As after a write, what fails because of its data is halved until the call is found that
 * fails alone, and that is set aside: one call must not keep the service from starting.
 */
async function deriveOrSetAside(rebuild: Rebuild, calls: readonly CallKey[]): Promise<void> {
  const { store, logger, quarantine } = rebuild
  try {
    await runDerivation(deriveTurns(store, calls))
  } catch (error) {
    const failure = classifyFailure(error)
    if (failure.cause === 'store') throw error
    const [call] = calls
    if (!call) return
    if (calls.length > 1) {
      const middle = calls.length >> 1
      for (const half of [calls.slice(0, middle), calls.slice(middle)]) await deriveOrSetAside(rebuild, half)
      return
    }
    // The same statements fail where the store cannot run them at all.
    await runDerivation(deriveTurns(store, [{ project_id: '', id: '' }]))
    await quarantine.add({ kind: 'call', ...call }, failure.reason)
    logger?.error(
      { projectId: call.project_id, id: call.id.slice(0, 200), reason: failure.reason },
      'a call cannot be derived and is set aside',
    )
  }
}
