import type { Thread } from '../../contract/threads'

/**
 * What a full bar stands for: the longest duration on screen, unless a few outliers would make all others too short to
 * see. Then it is what nine in ten stay under, and the outliers' bars are drawn as cut.
 */
export function getBarScaleMs(threads: readonly Pick<Thread, 'p50_turn_duration_ms' | 'p99_turn_duration_ms'>[]): number {
  const longest = threads
    .flatMap(({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }) => p99 ?? p50 ?? [])
    .toSorted((left, right) => left - right)
  const most = longest.at(-1) ?? 0
  const usual = longest[Math.floor((longest.length - 1) * 0.9)] ?? 0
  return longest.length >= 5 && usual > 0 && most > 4 * usual ? usual * 1.25 : most
}
