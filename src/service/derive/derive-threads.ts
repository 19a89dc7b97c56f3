import type { Store } from '../store/store'
import { threadAggregates } from './thread-aggregates'

// All that `turns` knows of these, so of two at once the later to read writes the sum. A row says of one start whether it
// is still the turn's; taken back it stays so, because a start is only ever replaced by a smaller one.
const copyByStart = `
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT {project_id:String}, arrayJoin(starts) AS start, thread_id, id, greatest_end, start != least_start OR is_away
FROM (
  SELECT thread_id, id, groupUniqArrayArray(started_ats) AS starts, min(started_at) AS least_start,
    max(ended_at) AS greatest_end, max(is_retracted) AS is_away
  FROM turns
  WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)} AND id IN {ids:Array(String)}
  GROUP BY thread_id, id)`

// `version` is taken before the statement reads, so of two that run at once the one that began later wins, and every
// turn was in before the statement that was begun for its sake.
const sumUp = `
INSERT INTO threads (project_id, thread_id, turn_count, start_time, last_updated, first_turn_id, last_turn_id,
  p50_turn_duration_ms, p99_turn_duration_ms, version)
SELECT {project_id:String}, thread_id, ${threadAggregates}, toUnixTimestamp64Nano(now64(9))
FROM turns FINAL
WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)}
GROUP BY thread_id`

const turnsPerStatement = 10_000
const threadsPerStatement = 1000

/** A row of `turns`: the same id may stand in two threads, in one of them retracted. */
export type TurnKey = { thread_id: string; id: string }

/** Brings `turns_by_start` and `threads` up to date with these turns of a project. */
export async function deriveThreads(store: Store, projectId: string, turns: readonly TurnKey[]): Promise<void> {
  // One after the other: side by side they would take the readers' cores.
  for (const slice of slicesOf(turns, turnsPerStatement)) {
    const ids = [...new Set(slice.map(({ id }) => id))]
    await store.command(copyByStart, { project_id: projectId, thread_ids: threadIdsOf(slice), ids })
  }
  for (const threadIds of slicesOf(threadIdsOf(turns), threadsPerStatement)) {
    await store.command(sumUp, { project_id: projectId, thread_ids: threadIds })
  }
}

function threadIdsOf(turns: readonly TurnKey[]): string[] {
  return [...new Set(turns.map((turn) => turn.thread_id))]
}

function slicesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
