import { listLogTicks } from '../../ui/chart/log-ticks'

/** A round duration for an axis or a filter: `150 ms`, `2.2 s`, `15 min`. */
export function formatStep(milliseconds: number): string {
  const [size, unit] =
    milliseconds < 1000
      ? [1, 'ms']
      : milliseconds < minuteMs || (milliseconds < 2 * minuteMs && milliseconds % minuteMs > 0)
        ? [1000, 's']
        : milliseconds < hourMs
          ? [minuteMs, 'min']
          : [hourMs, 'h']
  return milliseconds === 0 ? '0' : `${Number((milliseconds / size).toPrecision(3))} ${unit}`
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const unitsMs = [0.1, 1, 10, 100, 1000, 10_000, minuteMs, 10 * minuteMs, hourMs, 10 * hourMs, 100 * hourMs, 1000 * hourMs]

/** Durations for a logarithmic axis that are round as they are written: 200 s would be `3.33 min`. */
export function listDurationTicks(low: number, high: number, maxCount: number): number[] {
  return listLogTicks(low, high, maxCount, unitsMs)
}
