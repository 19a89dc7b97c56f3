/** Below this many turns the p99 is close to the slowest turn. */
export const fewTurnsLimit = 10

/** What the p99 of so few turns is: goes on after "the p99". */
export function describeFewP99(count: number): string {
  return count === 1 ? 'is that turn' : 'is close to the slowest turn'
}
