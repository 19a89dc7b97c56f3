const isCounted = 'is_retracted = 0'
const isFinished = 'is_retracted = 0 AND ended_at IS NOT NULL'
const startMicroseconds = 'toUnixTimestamp64Micro(started_at)'
const endMicroseconds = 'toUnixTimestamp64Micro(assumeNotNull(ended_at))'
// greatest() alone would take NULL for 0 in newer versions; the condition of the aggregate keeps running turns out.
const durationMicroseconds = `greatest(${endMicroseconds} - ${startMicroseconds}, toInt64(0))`

const orderDigits = 16

/**
 * The id of the turn with the least `microseconds`, ties by least id. argMin over the two as a tuple gives the same for five
 * times the work: as one text, the number first in digits that sort like it (2^62 lifts what is negative above 0), they
 * are compared as bytes.
 */
function idOfLeast(microseconds: string, least: 'minIf' | 'minOrNullIf', condition: string): string {
  const ordered = `concat(hex(toUInt64(${microseconds} + ${2n ** 62n})), id)`
  return `substring(${least}(${ordered}, ${condition}), ${orderDigits + 1})`
}

/**
 * p50 and p99 in milliseconds: at rank (n-1)q, interpolated linearly in whole numbers and divided once; NULL for no
 * duration. Two thirds of the time of the engine's own exact quantiles, and no floating point before the division. Beyond
 * the end of an array the engine reads 0, which is taken 0 times.
 */
const percentiles = `arrayMap(sorted ->
  arrayMap(rank -> if(rank < 0, NULL,
      (sorted[intDiv(rank, 100) + 1] * (100 - rank % 100) + sorted[intDiv(rank, 100) + 2] * (rank % 100)) / 100000),
    [(toInt64(length(sorted)) - 1) * 50, (toInt64(length(sorted)) - 1) * 99]),
  [arraySort(groupArrayIf(${durationMicroseconds}, ${isFinished}))])[1]`

/** What a group of rows of `turns FINAL` says of its thread, as columns named like the wire's. No counted turn: turn_count 0. */
export const threadAggregates = `
  toUInt32(countIf(${isCounted})) AS turn_count,
  minIf(started_at, ${isCounted}) AS start_time,
  ifNull(maxIf(ended_at, ${isCounted}), maxIf(started_at, ${isCounted})) AS last_updated,
  ${idOfLeast(startMicroseconds, 'minIf', isCounted)} AS first_turn_id,
  ${idOfLeast(`-${endMicroseconds}`, 'minOrNullIf', isFinished)} AS last_turn_id,
  (${percentiles} AS percentiles)[1] AS p50_turn_duration_ms,
  percentiles[2] AS p99_turn_duration_ms`
