/** Numbers in one bar: from `from` to `to`. Of whole numbers both are included; otherwise `to` belongs to the next bar. */
export type HistogramBar = { from: number; to: number; count: number }

const maxWholeBars = 12
const barCount = 10

/**
 * Numbers as the bars of a histogram. A few whole numbers, such as grades, have a bar each, those between them that nobody gave too.
 *
 * @example buildHistogram([{ value: 1, count: 2 }, { value: 3, count: 1 }]).map(({ count }) => count) // [2, 0, 1]
 */
export function buildHistogram(values: readonly { value: number; count: number }[]): HistogramBar[] {
  if (values.length === 0) return []
  const numbers = values.map(({ value }) => value)
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  const isWhole = numbers.every(Number.isInteger)
  const hasBarEach = isWhole && max - min < maxWholeBars
  const step = hasBarEach ? 1 : toNiceStep((max - min) / barCount)
  const first = hasBarEach ? min : Math.floor(min / step) * step
  const count = hasBarEach ? max - min + 1 : Math.max(1, Math.floor((max - first) / step + 1e-9) + 1)
  const bars = Array.from({ length: count }, (_, index) => ({
    from: round(first + index * step),
    to: round(first + (index + 1) * step - (isWhole ? 1 : 0)),
    count: 0,
  }))
  for (const { value, count: own } of values) {
    const bar = bars[Math.min(count - 1, Math.max(0, Math.floor((value - first) / step + 1e-9)))]
    if (bar) bar.count += own
  }
  return bars
}

/** 1, 2 or 5 times a power of ten: at least `least`. */
function toNiceStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power
}

/** 0.1 + 0.2 is 0.3 to a reader. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}
