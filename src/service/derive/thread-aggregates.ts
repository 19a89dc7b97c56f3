import { type Sql, sql } from '../store/sql'

// How the figures of a thread are computed from its turns: counts, times, first and last turn, p50 and p99 of the durations.

const isCounted = sql`is_retracted = 0`
const isFinished = sql`is_retracted = 0 AND ended_at IS NOT NULL`
const startMicroseconds = sql`toUnixTimestamp64Micro(started_at)`
const endMicroseconds = sql`toUnixTimestamp64Micro(assumeNotNull(ended_at))`
// Never below 0. The condition of the aggregate leaves running turns out: greatest() reads NULL as 0 in newer versions.
const durationMicroseconds = sql`greatest(${endMicroseconds} - ${startMicroseconds}, toInt64(0))`

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
const p50AndP99 = sql`arrayMap(sorted ->
  arrayMap(rank -> if(rank < 0, NULL,
      (sorted[intDiv(rank, 100) + 1] * (100 - rank % 100) + sorted[intDiv(rank, 100) + 2] * (rank % 100)) / 100000),
    [(toInt64(length(sorted)) - 1) * 50, (toInt64(length(sorted)) - 1) * 99]),
  [arraySort(groupArrayIf(${durationMicroseconds}, ${isFinished}))])[1]`

/**
 * Columns of a SELECT over rows of `turns FINAL` grouped by thread, named as on the wire. A thread whose turns are all
 * retracted has a turn_count of 0. A thread without a finished turn was last updated when its last turn started.
 */
export const threadAggregates = sql`
  toUInt32(countIf(${isCounted})) AS turn_count,
  minIf(started_at, ${isCounted}) AS start_time,
  ifNull(maxIf(ended_at, ${isCounted}), maxIf(started_at, ${isCounted})) AS last_updated,
  ${idOfMin(startMicroseconds, sql`minIf`, isCounted)} AS first_turn_id,
  ${idOfMin(sql`-${endMicroseconds}`, sql`minOrNullIf`, isFinished)} AS last_turn_id,
  (${p50AndP99} AS percentiles)[1] AS p50_turn_duration_ms,
  percentiles[2] AS p99_turn_duration_ms`
