const isCounted = 'is_retracted = 0'
const isFinished = 'is_retracted = 0 AND ended_at IS NOT NULL'
const endMicroseconds = 'toUnixTimestamp64Micro(assumeNotNull(ended_at))'
// greatest() alone would take NULL for 0 in newer versions; the condition of the aggregate keeps running turns out.
const durationMicroseconds = `greatest(${endMicroseconds} - toUnixTimestamp64Micro(started_at), toInt64(0))`

// Written once for each percentile and computed once: the engine sees that the two are the same. [NaN, NaN] for no turn.
const percentiles = `quantilesExactInclusiveIf(0.5, 0.99)(${durationMicroseconds}, ${isFinished})`

/**
 * Milliseconds at rank (n-1)q, interpolated linearly. Over whole microseconds the exact value is a whole number of
 * hundredths for q = 0.50 and 0.99; rounding to that takes away what the floating point of the interpolation adds.
 */
function exactMilliseconds(position: 1 | 2): string {
  return `if(isNaN(${percentiles}[${position}]), NULL, round(${percentiles}[${position}] * 100) / 100000)`
}

/** What a group of rows of `turns FINAL` says of its thread, as columns named like the wire's. No counted turn: turn_count 0. */
export const turnFigures = `
  toUInt32(countIf(${isCounted})) AS turn_count,
  minIf(started_at, ${isCounted}) AS start_time,
  ifNull(maxIf(ended_at, ${isCounted}), maxIf(started_at, ${isCounted})) AS last_updated,
  argMinIf(id, (started_at, id), ${isCounted}) AS first_turn_id,
  argMinOrNullIf(id, (-${endMicroseconds}, id), ${isFinished}) AS last_turn_id,
  ${exactMilliseconds(1)} AS p50_turn_duration_ms,
  ${exactMilliseconds(2)} AS p99_turn_duration_ms`
