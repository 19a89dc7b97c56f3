const series = [[1, 2, 5], [1, 3], [1]]

/**
 * Round numbers from `low` to `high` for a logarithmic axis: as many as fit, at least two and at most `maxCount`. They are 1, 2,
 * 3 or 5 times one of `units`, which are powers of ten unless others are given, from the smallest on.
 *
 * @example listLogTicks(1, 100, 5) // [1, 3, 10, 30, 100]
 */
export function listLogTicks(low: number, high: number, maxCount: number, units = listPowers(low, high)): number[] {
  const choices = series.map((steps) =>
    units.flatMap((unit) => steps.map((step) => toExact(step * unit))).filter((value) => value >= low && value <= high),
  )
  const chosen = choices.find((values) => values.length <= maxCount) ?? choices.at(-1) ?? []
  // One number alone tells no scale.
  const ticks = chosen.length < 2 ? listMultiples(low, high, units.findLast((unit) => unit <= high) ?? 1) : chosen
  const step = Math.ceil(ticks.length / maxCount)
  return ticks.filter((_, index) => index % step === 0)
}

function listPowers(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low))
  return Array.from({ length: Math.max(1, Math.ceil(Math.log10(high)) - first + 1) }, (_, index) => Number(`1e${first + index}`))
}

/** The multiples from `low` to `high` of the largest round part of a unit that has two of them there. */
function listMultiples(low: number, high: number, unit: number): number[] {
  if (low >= high) return [Number(low.toPrecision(2))]
  for (let decade = Math.ceil(Math.log10(high / unit)); ; decade -= 1) {
    for (const step of [5, 2, 1]) {
      const size = Number(`${step}e${decade}`) * unit
      const first = Math.ceil(low / size)
      const count = Math.floor(high / size) - first + 1
      if (count > 1) return Array.from({ length: count }, (_, index) => toExact((first + index) * size))
    }
  }
}

/** 3 * 0.1 is not 0.3. */
function toExact(value: number): number {
  return Number(value.toPrecision(12))
}
