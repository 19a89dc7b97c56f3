type TimedTurn = { durationMs: number | null }

export type PercentileTurns = {
  durationMs: number
  /** The positions of the turns that have this duration, or of the two that it lies between, the faster one first. */
  indexes: readonly [number] | readonly [number, number]
}

/**
 * Which turns a percentile of the durations is made of. It is the one at rank (n-1)q among the finished turns, fastest first,
 * and between two ranks it is interpolated linearly: the definition of the service (src/service/derive/thread-columns.ts). Of
 * turns with equal durations the first counts as the faster. Undefined while no turn has finished.
 *
 * @example findPercentileTurns([{ durationMs: 100 }, { durationMs: 300 }], 50) // { durationMs: 200, indexes: [0, 1] }
 */
export function findPercentileTurns(turns: readonly TimedTurn[], hundredths: number): PercentileTurns | undefined {
  const finished = turns.flatMap(({ durationMs }, index) => (durationMs === null ? [] : [{ durationMs, index }]))
  const ranked = finished.toSorted((left, right) => left.durationMs - right.durationMs || left.index - right.index)
  const scaledRank = (ranked.length - 1) * hundredths
  const lower = ranked[Math.floor(scaledRank / 100)]
  const upper = ranked[Math.ceil(scaledRank / 100)]
  if (!lower || !upper) return undefined
  if (lower === upper) return { durationMs: lower.durationMs, indexes: [lower.index] }
  const share = (scaledRank % 100) / 100
  return {
    durationMs: lower.durationMs + (upper.durationMs - lower.durationMs) * share,
    indexes: [lower.index, upper.index],
  }
}
