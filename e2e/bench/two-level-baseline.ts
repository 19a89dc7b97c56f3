import { join } from 'node:path'
import { Session } from 'chdb'
import { benchProject } from './load-calls'

/**
 * What W&B Weave's server does on the same engine: merge the parts of every call of the project, then aggregate the turns
 * of each thread, both at query time.
 */
const statement = (orderBy: string, page: string, having: string) => `
SELECT thread_id, count() AS turn_count, min(started) AS start_time, max(ended) AS last_updated,
  argMin(id, started) AS first_turn_id, argMax(id, ended) AS last_turn_id,
  quantile(0.5)(duration) AS p50_turn_duration_ms, quantile(0.99)(duration) AS p99_turn_duration_ms
FROM (
  SELECT id, max(thread_id) AS thread_id, max(turn_id) AS turn, min(started_at) AS started, max(ended_at) AS ended,
    dateDiff('millisecond', started, ended) AS duration
  FROM calls WHERE project_id = {project_id:String} GROUP BY project_id, id HAVING turn = id AND thread_id != '' ${having})
GROUP BY thread_id ORDER BY ${orderBy}, thread_id ${page}`

/**
 * Ways to run it, none of them limited: all in memory, or group by group in the order of the table's key. Which is faster
 * depends on the machine, so the bench measures both and compares itself with the faster one.
 */
const settingsByVariant = {
  'in memory': 'optimize_aggregation_in_order = 0',
  'in key order': 'optimize_aggregation_in_order = 1',
}
const unlimited = 'max_memory_usage = 0, max_bytes_before_external_group_by = 0, max_bytes_before_external_sort = 0'

export type BaselineVariant = keyof typeof settingsByVariant

/**
 * Opens the baseline on a session of its own beside the open store, without the store's limits. The engine itself must be
 * open without a memory limit too: `openStore({ folder, maxMemoryBytes })`.
 */
export function openTwoLevelBaseline(folder: string) {
  const session = new Session(join(folder, 'store'))
  return {
    run: (variant: BaselineVariant, orderBy: string, page: string, after?: string) =>
      session.queryBindAsync(
        `${statement(orderBy, page, after === undefined ? '' : "AND started > {after:DateTime64(6, 'UTC')}")}
         SETTINGS ${settingsByVariant[variant]}, ${unlimited}`,
        { project_id: benchProject, ...(after !== undefined && { after }) },
        { format: 'JSONEachRow' },
      ),
    close: () => session.close(),
  }
}
