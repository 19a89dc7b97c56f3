import * as z from 'zod/mini'
import type { streamThreads } from '../../src/contract/threads'
import type { Store } from '../../src/service/store/store'
import { listThreads } from '../../src/service/threads/list-threads'
import { benchProject } from './load-calls'
import { interleavedMedians, type Measurement, report } from './report'

type Input = z.output<typeof streamThreads.request>

const anyRow = z.looseObject({})
const project_id = benchProject

/**
 * What the public original does on the same engine: merge the parts of every call of the project, then sum the turns
 * up, at query time.
 */
const twoLevels = (orderBy: string, page: string) => `
SELECT thread_id, count() AS turn_count, min(started) AS start_time, max(ended) AS last_updated,
  argMin(id, started) AS first_turn_id, argMax(id, ended) AS last_turn_id,
  quantile(0.5)(duration) AS p50_turn_duration_ms, quantile(0.99)(duration) AS p99_turn_duration_ms
FROM (
  SELECT id, max(thread_id) AS thread_id, max(turn_id) AS turn, min(started_at) AS started, max(ended_at) AS ended,
    dateDiff('millisecond', started, ended) AS duration
  FROM calls WHERE project_id = {project_id:String} GROUP BY project_id, id HAVING turn = id AND thread_id != '')
GROUP BY thread_id ORDER BY ${orderBy}, thread_id ${page}`

// A scan that reads every column and cannot stop early: what no list over these tables can be faster than.
const scanThreads = `
SELECT max(thread_id), max(turn_count), max(start_time), max(last_updated), max(first_turn_id), max(last_turn_id),
  max(p50_turn_duration_ms), max(p99_turn_duration_ms), max(version)
FROM threads WHERE project_id = {project_id:String}`

const scanTurns = `
SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns WHERE project_id = {project_id:String}`

/** The thread list beside the engine's own scan and beside two levels of aggregation over all calls. */
export async function benchThreads(store: Store, calls: number): Promise<boolean> {
  const [sizes] = await store.query(
    `SELECT count() AS threads, argMax(thread_id, turn_count) AS longest, quantileExact(0.99)(toUnixTimestamp(start_time)) AS late
     FROM threads FINAL WHERE project_id = {project_id:String}`,
    { project_id },
    z.object({ threads: z.coerce.number(), longest: z.string(), late: z.number() }),
  )
  if (!sizes) throw new Error('The bench store is empty.')
  const deep = Math.floor(sizes.threads * 0.9)
  const page = async (more: Omit<Partial<Input>, 'project_id'>) => {
    let rows = 0
    for await (const batch of listThreads(store, { project_id, limit: 51, ...more })) rows += batch.length
    if (rows === 0) throw new Error('A page of the bench came back empty.')
  }
  const sorted = (field: NonNullable<Input['sort_by']>[number]['field']) => () =>
    page({ sort_by: [{ field, direction: 'desc' }] })
  const sql = (statement: string) => () => store.query(statement, { project_id }, anyRow)
  const after = new Date(sizes.late * 1000).toISOString()

  const ms = await interleavedMedians(
    {
      'scan of threads': sql(scanThreads),
      'scan of turns': sql(scanTurns),
      'select 1': sql('SELECT 1'),
      'by last_updated': sorted('last_updated'),
      'by p99': sorted('p99_turn_duration_ms'),
      'by turn_count': sorted('turn_count'),
      'two keys': () =>
        page({
          sort_by: [
            { field: 'turn_count', direction: 'desc' },
            { field: 'p50_turn_duration_ms', direction: 'asc' },
          ],
        }),
      'deep page': () => page({ offset: deep, sort_by: [{ field: 'last_updated', direction: 'desc' }] }),
      'one thread': () => page({ filter: { thread_ids: [sizes.longest] } }),
      'window, last 1 %': () => page({ filter: { after_datetime: after } }),
      'two levels, by last_updated': sql(twoLevels('last_updated DESC', 'LIMIT 51')),
      'two levels, by p99': sql(twoLevels('p99_turn_duration_ms DESC', 'LIMIT 51')),
      'two levels, deep page': sql(twoLevels('last_updated DESC', `LIMIT 51 OFFSET ${deep}`)),
    },
    calls > 1_000_000 ? 5 : 9,
  )
  const figures: Measurement[] = Object.entries(ms).map(([name, value]) => ({ name, value, unit: 'ms' }))
  const ofScan = (value: number) => value / ms['scan of threads']
  const isLarge = calls >= 10_000_000
  const leastGain = isLarge ? 100 : 8
  figures.push(
    { name: 'by last_updated / scan of threads', value: ofScan(ms['by last_updated']), unit: 'x', target: { most: 2.5 } },
    { name: 'by p99 / scan of threads', value: ofScan(ms['by p99']), unit: 'x', target: { most: 2.5 } },
    { name: 'by turn_count / scan of threads', value: ofScan(ms['by turn_count']), unit: 'x', target: { most: 2.5 } },
    { name: 'two keys / scan of threads', value: ofScan(ms['two keys']), unit: 'x', target: { most: 2.5 } },
    { name: 'deep page / first page', value: ms['deep page'] / ms['by last_updated'], unit: 'x', target: { most: 3 } },
    { name: 'one thread / select 1', value: ms['one thread'] / ms['select 1'], unit: 'x', target: { most: 5 } },
    { name: 'window / scan of turns', value: ms['window, last 1 %'] / ms['scan of turns'], unit: 'x', target: { most: 10 } },
    faster('by last_updated', ms['two levels, by last_updated'] / ms['by last_updated'], leastGain),
    faster('by p99', ms['two levels, by p99'] / ms['by p99'], leastGain),
    faster('deep page', ms['two levels, deep page'] / ms['deep page'], isLarge ? 60 : 8),
  )
  return report(
    `Threads, ${calls.toLocaleString('en')} calls, ${sizes.threads.toLocaleString('en')} threads in the project`,
    figures,
  )
}

function faster(name: string, value: number, least: number): Measurement {
  return { name: `${name}: faster than two levels`, value, unit: 'x', target: { least } }
}
