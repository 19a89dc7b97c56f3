import * as z from 'zod/mini'
import { p50AndP99 } from '../../derive/thread-columns'
import { count } from '../../store/row-types'
import { roundDownTo } from '../../store/round-down'
import { type Sql, sql } from '../../store/sql'
import type { Store } from '../../store/store'
import type { SelectedTurns } from './selected-turns'
import type { TurnRange } from './turn-intervals'

/** The figures of turns, as they are computed over a group of them. */
export const turnAggregates = sql`count() AS turn_count, countIf(ended_at IS NOT NULL) AS finished_turn_count,
  uniqExact(thread_id) AS thread_count,
  (${p50AndP99} AS percentiles)[1] AS p50_turn_duration_ms, percentiles[2] AS p99_turn_duration_ms`

export const turnFigures = {
  turn_count: count,
  finished_turn_count: count,
  thread_count: count,
  p50_turn_duration_ms: z.nullable(z.number()),
  p99_turn_duration_ms: z.nullable(z.number()),
}

const FiguresRow = z.object(turnFigures)
export type TurnTotals = z.infer<typeof FiguresRow>

export const noTurns: TurnTotals = {
  turn_count: 0,
  finished_turn_count: 0,
  thread_count: 0,
  p50_turn_duration_ms: null,
  p99_turn_duration_ms: null,
}

const rangeAggregates = sql`${toSeconds(sql`min(started_at)`)} AS first, ${toSeconds(sql`max(started_at)`)} AS last`
const rangeColumns = { first: count, last: count }
const TotalsRow = z.extend(FiguresRow, rangeColumns)

/** The figures of all turns together, and from when to when they started: undefined without any. */
export async function readTotals(
  store: Store,
  { fromTurns, options }: SelectedTurns,
): Promise<{ totals: TurnTotals; range: TurnRange | undefined }> {
  const [row] = await store.query(sql`SELECT ${turnAggregates}, ${rangeAggregates} ${fromTurns}`, TotalsRow, options)
  if (!row || row.turn_count === 0) return { totals: noTurns, range: undefined }
  const { first, last, ...totals } = row
  return { totals, range: { first, last } }
}

const RangeRow = z.object({ turn_count: count, ...rangeColumns })

/** From when to when turns started; undefined without any. */
export async function readRange(store: Store, { fromTurns, options }: SelectedTurns): Promise<TurnRange | undefined> {
  const [row] = await store.query(sql`SELECT count() AS turn_count, ${rangeAggregates} ${fromTurns}`, RangeRow, options)
  return row && row.turn_count > 0 ? { first: row.first, last: row.last } : undefined
}

/** The whole seconds of a time. intDiv() rounds to zero, so it is given numbers above zero: no turn starts before 1900. */
function toSeconds(time: Sql): Sql {
  return sql`(intDiv(toUnixTimestamp64Micro(${time}) + 2208988800000000, 1000000) - 2208988800)`
}

/** The start of the interval that a time is in, in seconds; `starts` are those of all intervals. */
export function toIntervalStart(time: Sql, starts: readonly number[]): Sql {
  const microseconds = starts.map((start) => BigInt(start) * 1_000_000n)
  return sql`intDiv(${roundDownTo(sql`toUnixTimestamp64Micro(${time})`, microseconds)}, 1000000)`
}
