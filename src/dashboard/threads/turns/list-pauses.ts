import type { ThreadTurn } from './thread-turn'

/** The time before a turn. `isIdle`: nothing ran in it, as far as is known. */
export type Pause = { milliseconds: number; isIdle: boolean }

/** Shorter pauses are not worth a line. */
const minPauseMs = 1000

/**
 * The pause before each turn; undefined where there was none. After a turn without an end nobody knows whether it still ran,
 * so what follows is later, not idle.
 */
export function listPauses(turns: readonly Pick<ThreadTurn, 'startMs' | 'endMs'>[]): readonly (Pause | undefined)[] {
  let lastMs: number | undefined
  let isRunning = false
  return turns.map(({ startMs, endMs }) => {
    if (startMs === null) return undefined
    const pauseMs = lastMs === undefined ? 0 : startMs - lastMs
    const pause = pauseMs >= minPauseMs ? { milliseconds: pauseMs, isIdle: !isRunning } : undefined
    lastMs = Math.max(lastMs ?? startMs, startMs, endMs ?? startMs)
    isRunning ||= endMs === null
    return pause
  })
}
