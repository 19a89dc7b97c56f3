import * as z from 'zod/mini'
import { GrowingClock } from '../lib/growing-clock'
import { microsecondsToEngineTime } from '../store/engine-time'
import { count } from '../store/row-types'
import { dateTime, type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'

// Each group of calls is inserted with a reading of a growing clock as `inserted_at`, taken before the insert is tracked. The
// watermark is such a reading: every call with a lower one is derived. So it is exact, and no clock that is set back hides a
// call from the recovery of a start.
//
// Copies of the service over one ClickHouse server share the watermark, and their clocks may differ. There a call is
// acknowledged after it is derived, so only calls that nobody was told are stored can be before the watermark and not derived.

const markerName = 'derived before'

const Watermark = z.object({ watermark: count })

/**
 * The watermark of the store, in microseconds since 1970. Call it before calls are written: where the store has none, it
 * writes the one that follows from the times of older versions.
 */
export async function openWatermark(store: Store): Promise<number> {
  const stored = await store.query(
    sql`SELECT max(version) AS watermark FROM markers WHERE name = ${markerName} HAVING count() > 0`,
    Watermark,
  )
  if (stored[0]) return stored[0].watermark
  const [older] = await store.query(olderWatermark, Watermark)
  const watermark = Math.max(0, older?.watermark ?? 0)
  await writeWatermark(store, watermark)
  return watermark
}

/**
 * Older versions inserted calls with the engine's time and stored the watermark as text, a minute more or less. Still older
 * ones derived with each insert; there the newest turn counts.
 */
const olderWatermark = sql`SELECT toUnixTimestamp64Micro(ifNull(
    (SELECT parseDateTime64BestEffortOrNull(max(value), 6, 'UTC') FROM markers FINAL WHERE name = 'derived until'),
    (SELECT max(inserted_at) FROM turns)) - INTERVAL 60 SECOND) AS watermark`

/** The watermark is its own version, so an older one never replaces a newer one. */
export async function writeWatermark(store: Store, watermark: number): Promise<void> {
  await store.insert('markers', [{ name: markerName, value: microsecondsToEngineTime(watermark), version: watermark }])
}

/** A condition on `calls`: rows that may not be derived yet. */
export function isAfterWatermark(watermark: number): Sql {
  return sql`inserted_at >= ${dateTime(microsecondsToEngineTime(watermark))}`
}

const Newest = z.object({ newest: count })

/**
 * The clock for `inserted_at`: ahead of all watermarks and of every call in the store. `now` is in milliseconds since 1970. Only calls
 * after the watermark are looked for, by the index of `inserted_at`: to read this column of a hundred million calls takes longer
 * than a statement may. The watermarks of what is derived from traces are moved more often, and may be ahead of it.
 */
export async function openInsertClock(store: Store, now: () => number): Promise<GrowingClock> {
  const watermark = await openWatermark(store)
  const [calls] = await store.query(
    sql`SELECT toUnixTimestamp64Micro(max(inserted_at)) AS newest FROM calls WHERE ${isAfterWatermark(watermark)}`,
    Newest,
  )
  const [ofTraces] = await store.query(
    sql`SELECT max(watermark) AS watermark FROM (SELECT watermark FROM spent_before UNION ALL SELECT watermark FROM searched_before)`,
    Watermark,
  )
  return new GrowingClock(now, Math.max(watermark, calls?.newest ?? 0, ofTraces?.watermark ?? 0))
}
