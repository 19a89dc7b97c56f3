import { join } from 'node:path'
import { Session } from 'chdb'
import { benchProject } from './load-calls'

/**
 * What the public original does on the same engine: merge the parts of every call of the project, then sum the turns
 * up, at query time.
 */
const statement = (orderBy: string, page: string, having = '') => `
SELECT thread_id, count() AS turn_count, min(started) AS start_time, max(ended) AS last_updated,
  argMin(id, started) AS first_turn_id, argMax(id, ended) AS last_turn_id,
  quantile(0.5)(duration) AS p50_turn_duration_ms, quantile(0.99)(duration) AS p99_turn_duration_ms
FROM (
  SELECT id, max(thread_id) AS thread_id, max(turn_id) AS turn, min(started_at) AS started, max(ended_at) AS ended,
    dateDiff('millisecond', started, ended) AS duration
  FROM calls WHERE project_id = {project_id:String} GROUP BY project_id, id HAVING turn = id AND thread_id != '' ${having})
GROUP BY thread_id ORDER BY ${orderBy}, thread_id ${page}`

/**
 * That, on a session of its own beside an open store: with the store's limits it would spill to disk where the original, which
 * has none, holds everything in memory. Under the memory that the whole engine may take it still has to spill at some point.
 */
export function openTwoLevels(folder: string) {
  const session = new Session(join(folder, 'store'))
  const settings = 'SETTINGS max_bytes_before_external_group_by = 2500000000'
  return {
    run: (orderBy: string, page: string, after?: string) =>
      session.queryBindAsync(
        `${statement(orderBy, page, after === undefined ? '' : "AND started > {after:DateTime64(6, 'UTC')}")} ${settings}`,
        { project_id: benchProject, ...(after !== undefined && { after }) },
        { format: 'JSONEachRow' },
      ),
    close: () => session.close(),
  }
}
