import { useState } from 'react'
import type { ThreadTurn } from './thread-turn'

type Held = { shownIds: ReadonlySet<string> }

/**
 * Holds back turns that arrive while a person reads, so that nothing moves: those on screen change in place, new ones wait.
 * Nothing is held before the first turns are on screen.
 */
export function useHeldTurns(latest: readonly ThreadTurn[], { isHolding, openId }: { isHolding: boolean; openId: string }) {
  const [held, setHeld] = useState<Held>()
  const isReady = isHolding && latest.length > 0
  if (isReady && !held) setHeld({ shownIds: toIds(latest) })
  if (!isHolding && held) setHeld(undefined)
  const turns = held && isHolding ? latest.filter(({ id }) => held.shownIds.has(id) || id === openId) : latest
  return {
    turns,
    waitingCount: latest.length - turns.length,
    showWaiting: () => setHeld({ shownIds: toIds(latest) }),
  }
}

function toIds(turns: readonly ThreadTurn[]): ReadonlySet<string> {
  return new Set(turns.map(({ id }) => id))
}
