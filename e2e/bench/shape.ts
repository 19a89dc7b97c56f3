import * as z from 'zod/mini'
import { fromEngineTime } from '../../src/service/store/engine-time'
import { sql } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { type HistoryRequest, readHistory } from '../../src/service/threads/shape/read-history'
import { readShape, type ShapeRequest } from '../../src/service/threads/shape/read-shape'
import { benchProject } from './load-calls'
import { measureInterleaved, report } from './report'

const project_id = benchProject

const scanTurns = sql`
SELECT max(thread_id), max(started_at), max(ended_at) FROM turns_by_start WHERE project_id = ${project_id}`

const Bounds = z.object({ turns: z.coerce.number(), last_1_percent: z.string() })
const selectBounds = sql`
SELECT count() AS turns, toString(fromUnixTimestamp64Micro(quantileExact(0.99)(toUnixTimestamp64Micro(started_at)), 'UTC')) AS last_1_percent
FROM turns_by_start WHERE project_id = ${project_id}`

/** The overview above the threads: its shape, and its history, as multiples of the engine's scan of the turns. */
export async function benchShape(store: Store): Promise<boolean> {
  const [bounds] = await store.query(selectBounds, Bounds)
  if (!bounds) throw new Error('The store of the bench is empty.')
  const after_datetime = fromEngineTime(bounds.last_1_percent)
  const shape = (filter: Partial<ShapeRequest['filter']> = {}) => readShape(store, { project_id, filter }, {})
  const history = (interval: HistoryRequest['interval'], filter: Partial<HistoryRequest['filter']> = {}) =>
    readHistory(store, { project_id, interval, filter }, {})
  const ms = await measureInterleaved(
    {
      scan: () => store.query(scanTurns, z.looseObject({})),
      shape: () => shape(),
      slowShape: () => shape({ min_p99_ms: 15_000 }),
      recentShape: () => shape({ after_datetime }),
      days: () => history('auto'),
      hours: () => history('hour'),
      total: () => history(undefined),
    },
    7,
  )
  const { length } = JSON.stringify(await shape())
  const toScans = (name: string, value: number, max: number) => ({ name, value: value / ms.scan, unit: 'scans', target: { max } })
  return report(`The overview of threads, ${bounds.turns.toLocaleString('en')} turns`, [
    { name: 'a scan of the turns', value: ms.scan, unit: 'ms' },
    { name: 'shape', value: ms.shape, unit: 'ms' },
    toScans('shape', ms.shape, 20),
    toScans('shape of the threads with a p99 of 15 s', ms.slowShape, 30),
    toScans('shape of the last 1 % of turns', ms.recentShape, 5),
    toScans('history by the interval it chooses', ms.days, 10),
    toScans('history by hour', ms.hours, 12),
    toScans('all turns as one line', ms.total, 8),
    { name: 'reply of the shape', value: length / 1000, unit: 'kB', target: { max: 200 } },
  ])
}
