import pino from 'pino'
import * as z from 'zod/mini'
import { QueryCalls } from '../../src/contract/call-requests'
import { listCalls } from '../../src/service/calls/list-calls'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import { GrowingClock } from '../../src/service/lib/growing-clock'
import { sql } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { SearchDeriver } from '../../src/service/threads/search/search-deriver'
import { benchProject } from './load-calls'
import { measureInterleaved, report } from './report'

const project_id = benchProject
const Sample = z.object({ threads: z.array(z.string()), traces: z.array(z.string()), ids: z.array(z.string()) })

/** The first calls of threads and of traces, whole, among all calls of the store. Each run asks for another one. */
export async function benchCalls(store: Store, calls: number): Promise<boolean> {
  const logger = pino({ level: 'error' }, pino.destination(2))
  const deriver = new TurnDeriver({ store, insertClock: new GrowingClock(() => Date.now()), logger })
  const searches = new SearchDeriver({ store, deriver, logger })
  const related = { resolveRefs: async () => [], readFeedback: async () => new Map() }
  const [sample] = await store.query(
    sql`SELECT groupUniqArray(40)(thread_id) AS threads, groupUniqArray(40)(trace_id) AS traces, groupUniqArray(40)(id) AS ids
FROM call_starts WHERE project_id = ${project_id} AND cityHash64(id) % 5000 = 0`,
    Sample,
  )
  if (!sample) throw new Error('The store of the bench is empty.')
  let run = 0
  const page = async (key: 'thread_ids' | 'trace_ids' | 'call_ids', values: readonly string[], limit: number) => {
    const filter = { [key]: [values[(run += 1) % values.length]] }
    let rows = 0
    for await (const batch of listCalls({ store, deriver, searches, related }, QueryCalls.parse({ project_id, filter, limit }))) {
      rows += batch.length
    }
    if (rows === 0) throw new Error('A page of the bench came back empty.')
  }
  const ms = await measureInterleaved(
    {
      'first 50 calls of a thread': () => page('thread_ids', sample.threads, 50),
      'calls of a trace': () => page('trace_ids', sample.traces, 50),
      'one call': () => page('call_ids', sample.ids, 1),
      'select 1': () => store.query(sql`SELECT 1`, z.looseObject({})),
    },
    21,
  )
  return report(`Calls, among ${calls.toLocaleString('en')}`, [
    { name: 'first 50 calls of a thread', value: ms['first 50 calls of a thread'], unit: 'ms', target: { max: 30 } },
    { name: 'calls of a trace', value: ms['calls of a trace'], unit: 'ms', target: { max: 30 } },
    { name: 'one call', value: ms['one call'], unit: 'ms' },
    { name: 'select 1', value: ms['select 1'], unit: 'ms' },
  ])
}
