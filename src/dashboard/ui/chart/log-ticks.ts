const series = [[1, 2, 5], [1, 3], [1]]

/**
 * Round numbers from `low` to `high` for a logarithmic axis: as many as fit, at most `maxCount`.
 *
 * @example listLogTicks(1, 100, 5) // [1, 3, 10, 30, 100]
 */
export function listLogTicks(low: number, high: number, maxCount: number): number[] {
  const first = Math.floor(Math.log10(low))
  const decades = Array.from({ length: Math.max(1, Math.ceil(Math.log10(high)) - first + 1) }, (_, index) => first + index)
  const choices = series.map((steps) =>
    decades
      // 5 * 10 ** -1 is exact as a decimal only.
      .flatMap((decade) => steps.map((step) => Number(`${step}e${decade}`)))
      .filter((value) => value >= low && value <= high),
  )
  const fitting = choices.find((values) => values.length <= maxCount)
  if (fitting && fitting.length > 0) return fitting
  const last = choices.at(-1) ?? []
  // Too close together for such a number: one near the middle.
  if (last.length === 0) return [Number(Math.sqrt(low * high).toPrecision(2))]
  const step = Math.ceil(last.length / maxCount)
  return last.filter((_, index) => index % step === 0)
}
