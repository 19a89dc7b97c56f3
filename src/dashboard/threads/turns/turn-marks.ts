import { findPercentileTurns, type PercentileTurns } from './find-percentile-turns'
import type { ThreadTurn } from './thread-turn'

export type MarkName = 'p50' | 'p99'
export type TurnMark = PercentileTurns & { name: MarkName }

/** The turns with calls that a filter looks for, and what that is called. */
export type TurnMatches = { ids: ReadonlySet<string | null>; label: string }

/** Which turns count: those that started after and before these times, as in the list of threads. */
export type TurnWindow = { after_datetime?: string; before_datetime?: string }

/** The turns that are the p50 and the p99 of the thread, by their position. Those outside the window have no part in it. */
export function findMarks(turns: readonly ThreadTurn[], window: TurnWindow | undefined): readonly TurnMark[] {
  const counted = turns.map((turn) => (isInWindow(turn, window) ? turn : { durationMs: null }))
  const percentiles = { p50: findPercentileTurns(counted, 50), p99: findPercentileTurns(counted, 99) }
  return (['p50', 'p99'] as const).flatMap((name) => {
    const found = percentiles[name]
    return found ? { name, durationMs: found.durationMs, indexes: found.indexes } : []
  })
}

export function isInWindow({ startMs }: Pick<ThreadTurn, 'startMs'>, window: TurnWindow | undefined): boolean {
  if (!window) return true
  const { after_datetime: after, before_datetime: before } = window
  if (startMs === null) return after === undefined && before === undefined
  return (after === undefined || startMs > Date.parse(after)) && (before === undefined || startMs < Date.parse(before))
}

/** The marks of each turn that has any. */
export function groupMarks(marks: readonly TurnMark[]): ReadonlyMap<number, readonly MarkName[]> {
  const byIndex = new Map<number, MarkName[]>()
  for (const { name, indexes } of marks) {
    for (const index of indexes) byIndex.set(index, [...(byIndex.get(index) ?? []), name])
  }
  return byIndex
}
