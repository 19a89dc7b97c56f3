import type { Store } from '../store/store'

const marker = 'derived until'

// The engine's clock, which gives calls their time of insertion too, less what has passed since on ours: two clocks are never compared.
const mark = `
INSERT INTO markers (name, value, version)
SELECT {name:String}, toString(now64(6) - toIntervalMillisecond({ago_ms:UInt64})), toUnixTimestamp64Nano(now64(9))`

/** Writes down that everything which was inserted longer ago than this has been derived from. */
export async function saveWatermark(store: Store, agoMs: number): Promise<void> {
  await store.command(mark, { name: marker, ago_ms: Math.ceil(agoMs) })
}

// The minute is for a clock that was set back. A store that was never marked is of a version that derived with each
// insert: there it is what came in the last minute before the newest turn.
const isUnderived = `inserted_at >= ifNull(
    (SELECT parseDateTime64BestEffortOrNull(max(value), 6, 'UTC') FROM markers FINAL WHERE name = '${marker}'),
    (SELECT max(inserted_at) FROM turns)) - INTERVAL 60 SECOND`

/** Calls that may not have been derived from. */
export const underivedCalls = `
SELECT project_id, id FROM calls WHERE ${isUnderived} GROUP BY project_id, id ORDER BY project_id, id`

/** Writes what the view of `calls` had no time to write: an insert that was cut off may have reached the table alone. */
export const startUnderivedCalls = `
INSERT INTO call_starts (project_id, started_at, id, trace_id, parent_id, thread_id, turn_id, op_name, is_span)
SELECT project_id, assumeNotNull(started_at), id, trace_id, parent_id, thread_id, turn_id, op_name, is_span
FROM calls WHERE started_at IS NOT NULL AND ${isUnderived}`
