import { type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { threadAggregates, threadColumnNames, threadVersion } from './thread-columns'

/** The key of a row of `turns`. One call may have rows in two threads, and is retracted in one of them. */
export type TurnKey = { thread_id: string; id: string }

const turnsPerStatement = 10_000
const threadsPerStatement = 1000

/** Brings `turns_by_start` and `threads` up to date after these turns of a project have changed. */
export async function deriveThreads(store: Store, projectId: string, turns: readonly TurnKey[]): Promise<void> {
  // One statement after the other: in parallel they would take the cores of those who read.
  for (const slice of splitList(turns, turnsPerStatement)) {
    await store.command(copyTurnsByStart(projectId, toThreadIds(slice), [...new Set(slice.map(({ id }) => id))]))
  }
  for (const threadIds of splitList(toThreadIds(turns), threadsPerStatement)) {
    await store.command(aggregateThreads(sql`project_id = ${projectId} AND thread_id IN ${threadIds}`))
  }
}

/**
 * Copies turns to `turns_by_start`, one row for each start that a turn ever had. A row is retracted where the turn has an
 * earlier start or is retracted itself, and stays so, because starts only get earlier. The statement reads all parts of
 * the turns, so when two run at once, the one that reads later writes the final rows.
 */
function copyTurnsByStart(projectId: string, threadIds: readonly string[], ids: readonly string[]): Sql {
  return sql`
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT ${projectId}, arrayJoin(all_starts) AS start, thread_id, id, max_end, start != min_start OR is_turn_retracted
FROM (
  SELECT thread_id, id, groupUniqArrayArray(started_ats) AS all_starts, min(started_at) AS min_start,
    max(ended_at) AS max_end, max(is_retracted) AS is_turn_retracted
  FROM turns
  WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND id IN ${ids}
  GROUP BY thread_id, id)`
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

function toThreadIds(turns: readonly TurnKey[]): string[] {
  return [...new Set(turns.map((turn) => turn.thread_id))]
}

function splitList<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
