import type { Tick } from './Plot'

/** Round numbers from 0 to `max`, about `count` steps of them. */
export function listLinearTicks(max: number, count: number): number[] {
  if (max <= 0) return [0]
  const decade = 10 ** Math.floor(Math.log10(max / count))
  const step = [1, 2, 5, 10].map((each) => each * decade).find((each) => max / each <= count) ?? max
  // 3 * 0.1 is not 0.3.
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const maxLabels = 8

/** Labels of places of the same width: as many as a wide chart has room for, from the last one, which people look for. */
export function toPlaceTicks(labels: readonly string[]): Tick[] {
  const step = Math.ceil(labels.length / maxLabels)
  return labels
    .map((label, index) => ({ at: (index + 0.5) / labels.length, label }))
    .filter((_, index) => (labels.length - 1 - index) % step === 0)
}
