/**
 * Times for the labels of an axis, in microseconds from its start: at most `maxCount`, at steps of 1, 2 or 5 times a power of
 * ten. The first is 0.
 *
 * @example listTicks(1_000_000, 4) // [0, 500000, 1000000]
 */
export function listTicks(spanUs: number, maxCount: number): number[] {
  if (spanUs <= 0 || maxCount < 2) return [0]
  const leastStep = spanUs / (maxCount - 1)
  const power = 10 ** Math.floor(Math.log10(leastStep))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= leastStep) ?? 10) * power
  const count = Math.floor(spanUs / step) + 1
  return Array.from({ length: count }, (_, index) => index * step)
}

/** The time that a waterfall shows. */
export type TimeScale = { startUs: number; spanUs: number }

/** Where a time lies on the scale, in percent; what lies outside is at its edge. */
export function toPercent(timeUs: number, { startUs, spanUs }: TimeScale): number {
  return spanUs <= 0 ? 0 : Math.min(100, Math.max(0, (100 * (timeUs - startUs)) / spanUs))
}
