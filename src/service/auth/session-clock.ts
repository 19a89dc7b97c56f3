/**
 * A clock for the age of sessions, in milliseconds since 1970, that never goes back and never stands still. It follows the
 * wall clock forwards only, and goes on with the process's own time while the wall clock is set back. The wall clock counts
 * as well because the process's own time stands still while the machine sleeps.
 */
export function createSessionClock(wallClock: () => number, processClock: () => number): () => number {
  let previous = wallClock()
  let readAt = processClock()
  return () => {
    const processNow = processClock()
    previous = Math.max(wallClock(), previous + processNow - readAt)
    readAt = processNow
    return previous
  }
}
