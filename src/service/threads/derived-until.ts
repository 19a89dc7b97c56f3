import type { Store } from '../store/store'

const marker = 'derived until'

// The engine's clock, which gives calls their time of insertion too, less what has passed since on ours: two clocks are never compared.
const mark = `
INSERT INTO markers (name, value, version)
SELECT {name:String}, toString(now64(6) - toIntervalMillisecond({ago_ms:UInt64})), toUnixTimestamp64Nano(now64(9))`

/** Writes down that everything which was inserted longer ago than this has been derived from. */
export async function markDerivedUntil(store: Store, agoMs: number): Promise<void> {
  await store.command(mark, { name: marker, ago_ms: Math.ceil(agoMs) })
}

/**
 * Calls that may not have been derived from. The minute is for a clock that was set back. A store that was never marked is
 * of a version that derived with each insert: there it is what came in the last minute before the newest turn.
 */
export const underivedCalls = `
SELECT project_id, id FROM calls
WHERE inserted_at >= ifNull(
    (SELECT parseDateTime64BestEffortOrNull(max(value), 6, 'UTC') FROM markers FINAL WHERE name = '${marker}'),
    (SELECT max(inserted_at) FROM turns)) - INTERVAL 60 SECOND
GROUP BY project_id, id ORDER BY project_id, id`
