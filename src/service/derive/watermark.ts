import { type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'

// The watermark is a time in the table `markers`: every call that was inserted before it is derived.

const markerName = 'derived until'

/**
 * Moves the watermark to `agoMs` milliseconds before now. The time is the engine's, which sets `inserted_at` of calls too;
 * this process only measures how much time has passed, so two clocks are never compared.
 */
export async function writeWatermark(store: Store, agoMs: number): Promise<void> {
  await store.command(sql`
INSERT INTO markers (name, value, version)
SELECT ${markerName}, toString(now64(6) - toIntervalMillisecond(${uint64(Math.ceil(agoMs))})), toUnixTimestamp64Nano(now64(9))`)
}

/**
 * A condition on `calls`: rows that may not be derived yet. It goes back one minute more, in case the engine's clock was set
 * back. A store without a watermark was last used by a version that derived with each insert; there the newest turn counts.
 */
export const isAfterWatermark: Sql = sql`inserted_at >= ifNull(
    (SELECT parseDateTime64BestEffortOrNull(max(value), 6, 'UTC') FROM markers FINAL WHERE name = ${markerName}),
    (SELECT max(inserted_at) FROM turns)) - INTERVAL 60 SECOND`
