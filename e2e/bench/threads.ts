import * as z from 'zod/mini'
import type { streamThreads } from '../../src/contract/threads'
import { fromEngineTime } from '../../src/service/store/engine-time'
import { dateTime, type Sql, sql } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { listThreads } from '../../src/service/threads/list-threads'
import { RankedThreads } from '../../src/service/threads/ranking/ranked-threads'
import { benchProject } from './load-calls'
import { measureInterleaved, type Measurement, report } from './report'
import { type BaselineVariant, openTwoLevelBaseline } from './two-level-baseline'

type Input = z.output<typeof streamThreads.request>

const anyRow = z.looseObject({})
const project_id = benchProject

// A scan reads every column and cannot stop early: no list over these tables can be faster.
const scanThreads = sql`
SELECT max(thread_id), max(turn_count), max(start_time), max(last_updated), max(first_turn_id), max(last_turn_id),
  max(p50_turn_duration_ms), max(p99_turn_duration_ms), max(version)
FROM threads WHERE project_id = ${project_id}`

const scanTurns = sql`
SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns WHERE project_id = ${project_id}`

const scanWindow = (after: string) => sql`
SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns_by_start
WHERE project_id = ${project_id} AND started_at > ${dateTime(after)}`

const Sizes = z.object({
  threads: z.coerce.number(),
  sample: z.array(z.string()),
  /** Engine times: 1 %, 10 % and 50 % of the turns started after them. */
  bounds: z.array(z.string()),
})
const selectSizes = sql`
SELECT uniqExact(thread_id) AS threads, groupUniqArray(50)(thread_id) AS sample,
  arrayMap(micros -> toString(fromUnixTimestamp64Micro(micros, 'UTC')),
    quantilesExact(0.99, 0.9, 0.5)(toUnixTimestamp64Micro(started_at))) AS bounds
FROM turns_by_start FINAL WHERE project_id = ${project_id} AND is_retracted = 0`

/** Compares the thread list with the engine's own scan, and with aggregating all calls at query time. */
export async function benchThreads(store: Store, folder: string, calls: number): Promise<boolean> {
  const [sizes] = await store.query(selectSizes, Sizes)
  const [last1Percent, last10Percent, last50Percent] = sizes?.bounds ?? []
  if (!sizes || !last1Percent || !last10Percent || !last50Percent) throw new Error('The store of the bench is empty.')
  const deepOffset = Math.floor(sizes.threads * 0.9)
  const page = async (more: Omit<Partial<Input>, 'project_id'>) => {
    let rows = 0
    for await (const batch of listThreads(store, { project_id, limit: 51, ...more })) rows += batch.length
    if (rows === 0) throw new Error('A page of the bench came back empty.')
  }
  const sorted = (field: NonNullable<Input['sort_by']>[number]['field']) => () =>
    page({ sort_by: [{ field, direction: 'desc' }] })
  // Of projects of any size, which the service does for large ones only.
  const ranked = new RankedThreads(store, { minThreads: 0, maxRanked: 12_000 })
  const ofRanking = (more: Omit<Partial<Input>, 'project_id'>) => async () => {
    const rows = await ranked.read({ project_id, limit: 51, ...more }, {})
    if (!rows?.length) throw new Error('A page of the bench did not come from the ranking.')
  }
  const run = (statement: Sql) => () => store.query(statement, anyRow)
  const since = (bound: string) => () => page({ filter: { after_datetime: fromEngineTime(bound) } })

  const baseline = openTwoLevelBaseline(folder)
  const variant = await findFasterVariant(baseline)
  const ms = await measureInterleaved(
    {
      'scan of threads': run(scanThreads),
      'scan of turns': run(scanTurns),
      'select 1': run(sql`SELECT 1`),
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
      'deep page': () => page({ offset: deepOffset, sort_by: [{ field: 'last_updated', direction: 'desc' }] }),
      'ranked, by last_updated': ofRanking({}),
      'ranked, by p99': ofRanking({ sort_by: [{ field: 'p99_turn_duration_ms', direction: 'desc' }] }),
      'ranked, offset of 10,000': ofRanking({ offset: Math.min(10_000, deepOffset) }),
      'one thread': () => page({ filter: { thread_ids: sizes.sample.slice(0, 1) } }),
      '50 threads': () => page({ filter: { thread_ids: sizes.sample } }),
      'window of 1 %': since(last1Percent),
      'scan of that window': run(scanWindow(last1Percent)),
      'window of 10 %': since(last10Percent),
      'window of 50 %': since(last50Percent),
      'window of everything': since('1900-01-01 00:00:00'),
      'baseline, window of 1 %': () => baseline.run(variant, 'last_updated DESC', 'LIMIT 51', last1Percent),
      'baseline, by last_updated': () => baseline.run(variant, 'last_updated DESC', 'LIMIT 51'),
      'baseline, by p99': () => baseline.run(variant, 'p99_turn_duration_ms DESC', 'LIMIT 51'),
      'baseline, deep page': () => baseline.run(variant, 'last_updated DESC', `LIMIT 51 OFFSET ${deepOffset}`),
    },
    calls > 1_000_000 ? 5 : 9,
  )
  baseline.close()

  const isLarge = calls >= 10_000_000
  const minGain = isLarge ? 100 : 8
  const ratio = (name: keyof typeof ms, base: keyof typeof ms, target?: Measurement['target']): Measurement => ({
    name: `${name} / ${base}`,
    value: ms[name] / ms[base],
    unit: 'x',
    ...(target && { target }),
  })
  const gain = (name: keyof typeof ms, base: keyof typeof ms, min: number): Measurement => ({
    name: `${name}: faster than the baseline`,
    value: ms[base] / ms[name],
    unit: 'x',
    target: { min },
  })
  const sorts = ['by last_updated', 'by p99', 'by turn_count', 'by p50', 'by start_time', 'by thread_id', 'two keys'] as const
  const title = `Threads, ${calls.toLocaleString('en')} calls, ${sizes.threads.toLocaleString('en')} threads in the project`
  return report(`${title}; the baseline aggregates all calls at query time, ${variant}`, [
    ...Object.entries(ms).map(([name, value]) => ({ name, value, unit: 'ms' })),
    ...sorts.map((name) => ratio(name, 'scan of threads', { max: 2.5 })),
    ratio('deep page', 'by last_updated', { max: 3 }),
    ratio('ranked, by last_updated', '50 threads', { max: 1.5 }),
    ratio('one thread', 'select 1', { max: 5 }),
    ratio('50 threads', 'select 1'),
    ratio('window of 1 %', 'scan of that window', { max: 5 }),
    ratio('window of 10 %', 'scan of turns', { max: 10 }),
    ratio('window of 50 %', 'scan of turns', { max: 10 }),
    ratio('window of everything', 'scan of turns', { max: 10 }),
    gain('by last_updated', 'baseline, by last_updated', minGain),
    gain('by p99', 'baseline, by p99', minGain),
    gain('deep page', 'baseline, deep page', isLarge ? 60 : 8),
    gain('window of 1 %', 'baseline, window of 1 %', 8),
  ])
}

/** The variant that answers the first page faster: a comparison has to be with the baseline at its best. */
async function findFasterVariant(baseline: ReturnType<typeof openTwoLevelBaseline>): Promise<BaselineVariant> {
  const ms = await measureInterleaved(
    {
      'in memory': () => baseline.run('in memory', 'last_updated DESC', 'LIMIT 51'),
      'in key order': () => baseline.run('in key order', 'last_updated DESC', 'LIMIT 51'),
    } satisfies Record<BaselineVariant, () => Promise<unknown>>,
    3,
  )
  return ms['in memory'] <= ms['in key order'] ? 'in memory' : 'in key order'
}
