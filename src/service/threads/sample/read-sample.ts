import * as z from 'zod/mini'
import { maxItemsPerQueue } from '../../../contract/limits'
import type { Stratum, ThreadSample } from '../../../contract/thread-sample'
import type { SampleThreads } from '../../../contract/thread-sample-requests'
import { compareText } from '../../../contract/compare-text'
import { count, flag } from '../../store/row-types'
import { type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { selectTurns } from '../shape/selected-turns'
import { selectCandidates, selectStrata } from './candidate-turns'
import { findShare, mergeStrata, type RankedTurn } from './merge-strata'

type Request = z.output<typeof SampleThreads>

/** The turns that a request means, counted, and the ids of all or of a sample. Flush what the request looks at first. */
export async function readSample(store: Store, request: Request, reader: QueryOptions): Promise<ThreadSample> {
  const { sample, turns: choice = 'all' } = request
  const selected = await selectTurns(store, request, reader)
  const { options } = selected
  const candidates = selectCandidates(selected, choice)
  if (!sample) {
    const counts = await readCounts(store, selectStrata(candidates, undefined, selected, request), options)
    const statement = sql`SELECT id FROM (${candidates}) ORDER BY thread_id, started_at, id LIMIT ${uint64(maxItemsPerQueue)}`
    return { ...counts.total, strata: [], turn_ids: await readIds(store, statement, options) }
  }
  const { size, seed, stratify_by: stratifyBy } = sample
  const turns = selectStrata(candidates, stratifyBy, selected, request)
  const { total, strata } = await readCounts(store, turns, options)
  const share = findShare([...strata.values()], size)
  // With a share of 0 there is nothing to read: nobody asks, or no turn is meant.
  const ranked = share === 0 ? [] : await readRanked(store, turns, { seed, share }, options)
  const sampled = mergeStrata(ranked, size)
  return {
    ...total,
    strata: stratifyBy === undefined ? [] : toStrata(strata, sampled),
    turn_ids: sampled.map(({ id }) => id),
  }
}

const CountRow = z.object({ stratum: z.string(), is_total: flag, thread_count: count, turn_count: count })

async function readCounts(store: Store, turns: Sql, options: QueryOptions) {
  const statement = sql`SELECT stratum, grouping(stratum) = 1 AS is_total, uniqExact(thread_id) AS thread_count, count() AS turn_count
FROM (${turns}) GROUP BY GROUPING SETS ((), (stratum))`
  const rows = await store.query(statement, CountRow, options)
  const all = rows.find(({ is_total: isTotal }) => isTotal)
  const strata = rows.filter(({ is_total: isTotal }) => !isTotal)
  return {
    total: { thread_count: all?.thread_count ?? 0, turn_count: all?.turn_count ?? 0 },
    strata: new Map(strata.map(({ stratum, turn_count: turnCount }) => [stratum, turnCount])),
  }
}

const IdRow = z.object({ id: z.string() })

async function readIds(store: Store, statement: Sql, options: QueryOptions): Promise<string[]> {
  const ids: string[] = []
  for await (const rows of store.stream(statement, IdRow, options)) for (const { id } of rows) ids.push(id)
  return ids
}

const RankedRow = z.object({ id: z.string(), stratum: z.string(), rank: z.string() })

async function readRanked(
  store: Store,
  turns: Sql,
  { seed, share }: { seed: string; share: number },
  options: QueryOptions,
): Promise<RankedTurn[]> {
  const statement = sql`SELECT id, stratum, lower(hex(digest)) AS rank
FROM (
  SELECT id, stratum, SHA256(concat(${seed}, ':', id)) AS digest FROM (${turns})
  ORDER BY digest, id LIMIT ${uint64(share)} BY stratum
)`
  const ranked: RankedTurn[] = []
  for await (const rows of store.stream(statement, RankedRow, options)) for (const row of rows) ranked.push(row)
  return ranked
}

function toStrata(counts: ReadonlyMap<string, number>, sampled: readonly RankedTurn[]): Stratum[] {
  const sampledCounts = new Map<string, number>()
  for (const { stratum } of sampled) sampledCounts.set(stratum, (sampledCounts.get(stratum) ?? 0) + 1)
  return [...counts]
    .map(([name, turnCount]) => ({ name, turn_count: turnCount, sampled_count: sampledCounts.get(name) ?? 0 }))
    .toSorted((left, right) => right.turn_count - left.turn_count || compareText(left.name, right.name))
}
