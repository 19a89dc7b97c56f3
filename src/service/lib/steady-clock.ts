/**
 * A clock for what lasts for some time, in milliseconds since 1970, that never goes back and never stands still. It follows the
 * wall clock forwards only, and goes on with the process's own time while the wall clock is set back. The wall clock counts
 * as well because the process's own time stands still while the machine sleeps. It begins after `last`, a reading
 * of a process before this one.
 */
export function createSteadyClock(wallClock: () => number, processClock: () => number, last = 0): () => number {
  let previous = Math.max(wallClock(), last)
  let readAt = processClock()
  return () => {
    const processNow = processClock()
    previous = Math.max(wallClock(), previous + processNow - readAt)
    readAt = processNow
    return previous
  }
}
