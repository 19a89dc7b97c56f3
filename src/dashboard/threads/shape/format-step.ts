/** A round duration for an axis or a filter: `150 ms`, `2.2 s`, `15 min`. */
export function formatStep(milliseconds: number): string {
  const [size, unit] =
    milliseconds < 1000
      ? [1, 'ms']
      : milliseconds < 120_000
        ? [1000, 's']
        : milliseconds < 3_600_000
          ? [60_000, 'min']
          : [3_600_000, 'h']
  return milliseconds === 0 ? '0' : `${Number((milliseconds / size).toPrecision(2))} ${unit}`
}
