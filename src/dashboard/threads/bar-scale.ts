import type { ReceivedThread } from '../../contract/received-threads'

/**
 * The duration of a full bar: the longest on screen, unless a few outliers would make all other bars too short to see.
 * Then it is a quarter above the 90th percentile, and the bars of outliers are cut off.
 */
export function getBarScaleMs(threads: readonly Pick<ReceivedThread, 'p50_turn_duration_ms' | 'p99_turn_duration_ms'>[]): number {
  const sorted = threads
    .flatMap(({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }) => p99 ?? p50 ?? [])
    .toSorted((left, right) => left - right)
  const max = sorted.at(-1) ?? 0
  const p90 = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0
  return sorted.length >= 5 && p90 > 0 && max > 4 * p90 ? p90 * 1.25 : max
}
