import { keysIn } from '../store/keys-in'
import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import type { Derivation, TurnKey } from './derivation'
import { threadAggregates, threadColumnNames, threadVersion } from './thread-columns'
import { toCompoundKey } from '../lib/compound-key'

const turnsPerStatement = 10_000
const threadsPerStatement = 1000

/** Brings `turns_by_start` and `threads` up to date after these turns of any projects have changed. */
export async function* deriveThreads(store: Store, turns: readonly TurnKey[]): Derivation {
  // One statement after the other: in parallel they would take the cores of those who read.
  for (const slice of splitList(turns, turnsPerStatement)) {
    await store.command(copyTurnsByStart(keysIn(['project_id', 'thread_id', 'id'], slice)))
    yield { changed: [] }
  }
  return yield* aggregateAll(store, turns)
}

/** The same for all turns of a thread: which of them changed while the thread was set aside is not known. */
export async function* deriveWholeThread(store: Store, thread: ThreadKey): Derivation {
  await store.command(copyTurnsByStart(keysIn(['project_id', 'thread_id'], [thread])))
  yield { changed: [] }
  return yield* aggregateAll(store, [thread])
}

type ThreadKey = Pick<TurnKey, 'project_id' | 'thread_id'>

async function* aggregateAll(store: Store, turns: readonly ThreadKey[]): Derivation {
  const threads = new Map(turns.map((turn) => [toCompoundKey(turn.project_id, turn.thread_id), turn]))
  for (const [index, slice] of splitList([...threads.values()], threadsPerStatement).entries()) {
    if (index > 0) yield { changed: [] }
    await store.command(aggregateThreads(keysIn(['project_id', 'thread_id'], slice)))
  }
  return { changed: [] }
}

/**
 * Copies turns that meet `condition` to `turns_by_start`, one row for each start that a turn ever had. A row is retracted where the turn has an
 * earlier start or is retracted itself, and stays so, because starts only get earlier. The statement reads all parts of
 * the turns, so when two run at once, the one that reads later writes the final rows.
 */
function copyTurnsByStart(condition: Sql): Sql {
  return sql`
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT project_id, arrayJoin(all_starts) AS start, thread_id, id, max_end, start != min_start OR is_turn_retracted
FROM (
  SELECT project_id, thread_id, id, groupUniqArrayArray(started_ats) AS all_starts, min(started_at) AS min_start,
    max(ended_at) AS max_end, max(is_retracted) AS is_turn_retracted
  FROM turns
  WHERE ${condition}
  GROUP BY project_id, thread_id, id)`
}

/**
 * Computes rows of `threads` from the turns that meet `condition`. When two statements run at once, the row of the one that
 * has read more turns counts (`threadVersion`), so that one of both has read every turn that they were started for.
 */
export function aggregateThreads(condition: Sql): Sql {
  return sql`
INSERT INTO threads (project_id, thread_id, ${threadColumnNames}, version)
SELECT project_id, thread_id, ${threadAggregates}, ${threadVersion}
FROM turns FINAL
WHERE ${condition}
GROUP BY project_id, thread_id`
}

function splitList<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
