import * as z from 'zod/mini'
import { engineTime } from '../store/row-types'
import { identifier, joinSql, type Sql, sql } from '../store/sql'

// How the figures of a thread are computed from its turns: counts, times, first and last turn, p50 and p99 of the durations.

const isCounted = sql`is_retracted = 0`
const isFinished = sql`is_retracted = 0 AND ended_at IS NOT NULL`
const startMicroseconds = sql`toUnixTimestamp64Micro(started_at)`
const endMicroseconds = sql`toUnixTimestamp64Micro(assumeNotNull(ended_at))`
/**
 * The duration of a finished turn, from its row: never below 0. Whoever uses it must leave running turns out: greatest() reads
 * NULL as 0 in newer versions.
 */
export const durationMicroseconds = sql`greatest(${endMicroseconds} - ${startMicroseconds}, toInt64(0))`

/**
 * The id of the turn with the lowest `microseconds`; the lowest id where several have it. argMin over a tuple of both gives
 * the same and takes five times as long. Here both are one text that is compared as bytes: first the number in 16
 * hexadecimal digits, lifted by 2^62 so that negative numbers sort right, then the id.
 */
function idOfMin(microseconds: Sql, minimum: Sql, condition: Sql): Sql {
  const ordered = sql`concat(hex(toUInt64(${microseconds} + 4611686018427387904)), id)`
  return sql`substring(${minimum}(${ordered}, ${condition}), 17)`
}

/**
 * p50 and p99 of the durations in milliseconds, as an array of two: at rank (n-1)q, interpolated linearly; NULL without a
 * finished turn. All is whole numbers until the one division at the end, so nothing is rounded on the way, and it takes two
 * thirds of the time of quantilesExactInclusive. Beyond the end of an array the engine reads 0; that is multiplied by 0.
 */
export const p50AndP99 = sql`arrayMap(sorted ->
  arrayMap(rank -> if(rank < 0, NULL,
      (sorted[intDiv(rank, 100) + 1] * (100 - rank % 100) + sorted[intDiv(rank, 100) + 2] * (rank % 100)) / 100000),
    [(toInt64(length(sorted)) - 1) * 50, (toInt64(length(sorted)) - 1) * 99]),
  [arraySort(groupArrayIf(${durationMicroseconds}, ${isFinished}))])[1]`

/**
 * The columns of a thread, named as on the wire: how each is computed from rows of `turns FINAL` grouped by thread, and how
 * it is read from a row. A thread whose turns are all retracted has a turn_count of 0. A thread without a finished turn
 * was last updated when its last turn started.
 *
 * A new column is added here, in contract/threads.ts, in a migration of the table `threads` and in the dashboard.
 */
const threadColumns = {
  turn_count: { aggregate: sql`toUInt32(countIf(${isCounted}))`, row: z.number() },
  start_time: { aggregate: sql`minIf(started_at, ${isCounted})`, row: engineTime },
  last_updated: { aggregate: sql`ifNull(maxIf(ended_at, ${isCounted}), maxIf(started_at, ${isCounted}))`, row: engineTime },
  first_turn_id: { aggregate: idOfMin(startMicroseconds, sql`minIf`, isCounted), row: z.string() },
  last_turn_id: { aggregate: idOfMin(sql`-${endMicroseconds}`, sql`minOrNullIf`, isFinished), row: z.nullable(z.string()) },
  p50_turn_duration_ms: { aggregate: sql`(${p50AndP99} AS percentiles)[1]`, row: z.nullable(z.number()) },
  p99_turn_duration_ms: { aggregate: sql`percentiles[2]`, row: z.nullable(z.number()) },
}
type ThreadColumns = typeof threadColumns

/** The names of the columns, as a list of a SELECT or an INSERT. */
export const threadColumnNames = joinSql(
  Object.keys(threadColumns).map((name) => identifier(name)),
  ', ',
)

/** The columns computed over a GROUP BY of turns, as a list of a SELECT. */
export const threadAggregates = joinSql(
  Object.entries(threadColumns).map(([name, { aggregate }]) => sql`${aggregate} AS ${identifier(name)}`),
  ', ',
)

/**
 * How much the turns of a thread say, over the same GROUP BY: the version of a row of `threads`. A turn is only ever added,
 * gets an earlier start, gets an end or a later one, or is retracted, and each of these adds at least 1 to the sum. So of two
 * rows of a thread, the one computed from more has the higher version, whenever and by whomever it was computed, and rows of
 * one version are equal. A time says less: a clock that is set back would let an outdated row win.
 *
 * The numbers put the times that a DateTime64 holds, from 1900 to 2299, above 0. UInt128, because 900 turns of 10^16 exceed
 * an Int64.
 */
export const threadVersion = sql`sum(toUInt128(10413792000000000 - ${startMicroseconds}
  + if(ended_at IS NULL, 0, ${endMicroseconds} + 2208988800000001) + is_retracted + 1))`

/** A row of threads. */
export const ThreadRow = z.object({
  thread_id: z.string(),
  // Object.fromEntries() forgets which type belongs to which name.
  ...(Object.fromEntries(Object.entries(threadColumns).map(([name, { row }]) => [name, row])) as {
    [Name in keyof ThreadColumns]: ThreadColumns[Name]['row']
  }),
})
