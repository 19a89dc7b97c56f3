import * as z from 'zod/mini'
import type { streamThreads } from '../../src/contract/threads'
import { fromEngineTime } from '../../src/service/store/engine-time'
import type { QueryParams, Store } from '../../src/service/store/store'
import { listThreads } from '../../src/service/threads/list-threads'
import { benchProject } from './load-calls'
import { interleavedMedians, type Measurement, report } from './report'
import { openTwoLevels } from './two-levels'

type Input = z.output<typeof streamThreads.request>

const anyRow = z.looseObject({})
const project_id = benchProject

// A scan that reads every column and cannot stop early: what no list over these tables can be faster than.
const scanThreads = `
SELECT max(thread_id), max(turn_count), max(start_time), max(last_updated), max(first_turn_id), max(last_turn_id),
  max(p50_turn_duration_ms), max(p99_turn_duration_ms), max(version)
FROM threads WHERE project_id = {project_id:String}`

const scanTurns = `
SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns WHERE project_id = {project_id:String}`

const scanWindow = `
SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns_by_start
WHERE project_id = {project_id:String} AND started_at > {after:DateTime64(6, 'UTC')}`

const Sizes = z.object({
  threads: z.coerce.number(),
  some: z.array(z.string()),
  /** Engine times that a hundredth, a tenth, a half of the turns started after. */
  bounds: z.array(z.string()),
})

/** The thread list beside the engine's own scan and beside two levels of aggregation over all calls. */
export async function benchThreads(store: Store, folder: string, calls: number): Promise<boolean> {
  const [sizes] = await store.query(
    `SELECT uniqExact(thread_id) AS threads, groupUniqArray(50)(thread_id) AS some,
       arrayMap(micros -> toString(fromUnixTimestamp64Micro(micros, 'UTC')),
         quantilesExact(0.99, 0.9, 0.5)(toUnixTimestamp64Micro(started_at))) AS bounds
     FROM turns_by_start FINAL WHERE project_id = {project_id:String} AND is_retracted = 0`,
    { project_id },
    Sizes,
  )
  const [late, later, half] = sizes?.bounds ?? []
  if (!sizes || !late || !later || !half) throw new Error('The bench store is empty.')
  const twoLevels = openTwoLevels(folder)
  const deep = Math.floor(sizes.threads * 0.9)
  const page = async (more: Omit<Partial<Input>, 'project_id'>) => {
    let rows = 0
    for await (const batch of listThreads(store, { project_id, limit: 51, ...more })) rows += batch.length
    if (rows === 0) throw new Error('A page of the bench came back empty.')
  }
  const sorted = (field: NonNullable<Input['sort_by']>[number]['field']) => () =>
    page({ sort_by: [{ field, direction: 'desc' }] })
  const sql =
    (statement: string, params: QueryParams = {}) =>
    () =>
      store.query(statement, { project_id, ...params }, anyRow)
  const since = (bound: string) => () => page({ filter: { after_datetime: fromEngineTime(bound) } })
  const everything = '1900-01-01 00:00:00'

  const ms = await interleavedMedians(
    {
      'scan of threads': sql(scanThreads),
      'scan of turns': sql(scanTurns),
      'select 1': sql('SELECT 1'),
      'by last_updated': sorted('last_updated'),
      'by p99': sorted('p99_turn_duration_ms'),
      'by turn_count': sorted('turn_count'),
      'by p50': sorted('p50_turn_duration_ms'),
      'by start_time': sorted('start_time'),
      'by thread_id': sorted('thread_id'),
      'two keys': () =>
        page({
          sort_by: [
            { field: 'turn_count', direction: 'desc' },
            { field: 'p50_turn_duration_ms', direction: 'asc' },
          ],
        }),
      'deep page': () => page({ offset: deep, sort_by: [{ field: 'last_updated', direction: 'desc' }] }),
      'one thread': () => page({ filter: { thread_ids: sizes.some.slice(0, 1) } }),
      '50 threads': () => page({ filter: { thread_ids: sizes.some } }),
      'window of 1 %': since(late),
      'scan of that window': sql(scanWindow, { after: late }),
      'window of 10 %': since(later),
      'window of 50 %': since(half),
      'window of everything': since(everything),
      'two levels, window of 1 %': () => twoLevels.run('last_updated DESC', 'LIMIT 51', late),
      'two levels, by last_updated': () => twoLevels.run('last_updated DESC', 'LIMIT 51'),
      'two levels, by p99': () => twoLevels.run('p99_turn_duration_ms DESC', 'LIMIT 51'),
      'two levels, deep page': () => twoLevels.run('last_updated DESC', `LIMIT 51 OFFSET ${deep}`),
    },
    calls > 1_000_000 ? 5 : 9,
  )
  twoLevels.close()
  const figures: Measurement[] = Object.entries(ms).map(([name, value]) => ({ name, value, unit: 'ms' }))
  const ofScan = (value: number) => value / ms['scan of threads']
  const ofTurns = (value: number) => value / ms['scan of turns']
  const isLarge = calls >= 10_000_000
  const leastGain = isLarge ? 100 : 8
  figures.push(
    { name: 'by last_updated / scan of threads', value: ofScan(ms['by last_updated']), unit: 'x', target: { most: 2.5 } },
    { name: 'by p99 / scan of threads', value: ofScan(ms['by p99']), unit: 'x', target: { most: 2.5 } },
    { name: 'by turn_count / scan of threads', value: ofScan(ms['by turn_count']), unit: 'x', target: { most: 2.5 } },
    { name: 'by p50 / scan of threads', value: ofScan(ms['by p50']), unit: 'x', target: { most: 2.5 } },
    { name: 'by start_time / scan of threads', value: ofScan(ms['by start_time']), unit: 'x', target: { most: 2.5 } },
    { name: 'by thread_id / scan of threads', value: ofScan(ms['by thread_id']), unit: 'x', target: { most: 2.5 } },
    { name: 'two keys / scan of threads', value: ofScan(ms['two keys']), unit: 'x', target: { most: 2.5 } },
    { name: 'deep page / first page', value: ms['deep page'] / ms['by last_updated'], unit: 'x', target: { most: 3 } },
    { name: 'one thread / select 1', value: ms['one thread'] / ms['select 1'], unit: 'x', target: { most: 5 } },
    { name: '50 threads / select 1', value: ms['50 threads'] / ms['select 1'], unit: 'x' },
    {
      name: 'window of 1 % / scan of that window',
      value: ms['window of 1 %'] / ms['scan of that window'],
      unit: 'x',
      target: { most: 5 },
    },
    { name: 'window of 10 % / scan of turns', value: ofTurns(ms['window of 10 %']), unit: 'x', target: { most: 10 } },
    { name: 'window of 50 % / scan of turns', value: ofTurns(ms['window of 50 %']), unit: 'x', target: { most: 10 } },
    { name: 'window of everything / scan of turns', value: ofTurns(ms['window of everything']), unit: 'x', target: { most: 10 } },
    faster('by last_updated', ms['two levels, by last_updated'] / ms['by last_updated'], leastGain),
    faster('by p99', ms['two levels, by p99'] / ms['by p99'], leastGain),
    faster('deep page', ms['two levels, deep page'] / ms['deep page'], isLarge ? 60 : 8),
    faster('window of 1 %', ms['two levels, window of 1 %'] / ms['window of 1 %'], 8),
  )
  return report(
    `Threads, ${calls.toLocaleString('en')} calls, ${sizes.threads.toLocaleString('en')} threads in the project`,
    figures,
  )
}

function faster(name: string, value: number, least: number): Measurement {
  return { name: `${name}: faster than two levels`, value, unit: 'x', target: { least } }
}
