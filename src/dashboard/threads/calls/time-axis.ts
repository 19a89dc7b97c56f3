/** The time that a waterfall shows. `zeroUs`, the start of the turn, is 0 on its axis: with clocks that differ it begins before. */
export type TimeScale = { startUs: number; spanUs: number; zeroUs: number }

/**
 * Times for the labels of an axis, in microseconds from its zero: at most `maxCount`, at steps of 1, 2 or 5 times a power of ten.
 * No step is below a microsecond: times have no more digits, so its labels would be alike.
 *
 * @example listTicks({ startUs: 0, spanUs: 1_000_000, zeroUs: 0 }, 4) // [0, 500000, 1000000]
 */
export function listTicks({ startUs, spanUs, zeroUs }: TimeScale, maxCount: number): number[] {
  if (spanUs <= 0 || maxCount < 2) return [0]
  const leastStep = Math.max(1, spanUs / (maxCount - 1))
  const power = 10 ** Math.floor(Math.log10(leastStep))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= leastStep) ?? 10) * power
  const first = Math.ceil((startUs - zeroUs) / step)
  const last = Math.floor((startUs + spanUs - zeroUs) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Where a time lies on the scale, in percent; what lies outside is at its edge. */
export function toPercent(timeUs: number, { startUs, spanUs }: TimeScale): number {
  return spanUs <= 0 ? 0 : Math.min(100, Math.max(0, (100 * (timeUs - startUs)) / spanUs))
}

/** Nearer times are on the same pixel. */
const minGapPercent = 0.2

type Period = { startUs: number; endUs: number }

/** Periods in the order of time, those joined that nobody could tell apart: a turn may wait for each of 1,000 calls in turn. */
export function joinPeriods(periods: readonly Period[], { spanUs }: TimeScale): Period[] {
  const joined: Period[] = []
  for (const { startUs, endUs } of periods) {
    const last = joined.at(-1)
    if (last && startUs - last.endUs < (spanUs * minGapPercent) / 100) last.endUs = Math.max(last.endUs, endUs)
    else joined.push({ startUs, endUs })
  }
  return joined
}
