/** Below this many turns the p99 is close to the slowest turn. */
export const fewTurnsLimit = 10
