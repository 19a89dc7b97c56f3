import type { ReceivedThread } from '../../contract/received-threads'

type Figures = Pick<ReceivedThread, 'p50_turn_duration_ms' | 'p99_turn_duration_ms'>

/**
 * The duration of a full bar: the longest on screen, unless a few outliers would make all other bars too short to see.
 * Then it is a quarter above the 90th percentile, and the bars of outliers are cut off. 0 where all bars would be the same:
 * they would say nothing.
 */
export function getBarScaleMs(threads: readonly Figures[]): number {
  const finished = threads.filter(({ p99_turn_duration_ms: p99 }) => p99 !== null)
  const isSame = ({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }: Figures) =>
    p50 === finished[0]?.p50_turn_duration_ms && p99 === finished[0].p99_turn_duration_ms
  if (finished.every(isSame)) return 0
  const sorted = finished.map(({ p99_turn_duration_ms: p99 }) => p99 ?? 0).toSorted((left, right) => left - right)
  const max = sorted.at(-1) ?? 0
  const p90 = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0
  return sorted.length >= 5 && p90 > 0 && max > 4 * p90 ? p90 * 1.25 : max
}
