/** The key of a call. */
export type CallKey = { project_id: string; id: string }

/** The key of a row of `turns`. One call may have rows in two threads, and is retracted in one of them. */
export type TurnKey = { project_id: string; thread_id: string; id: string }

/** What a step has done. */
type Progress = {
  /** Turns that were written: `turns_by_start` and `threads` follow from them. */
  changed: readonly TurnKey[]
}

export type LastProgress = Progress & {
  /** Projects with much more to do: the others of the derivation need not wait for them. */
  rest?: ReadonlyMap<string, Derivation>
}

/**
 * A derivation in steps of bounded size, a few statements each: between two steps other projects get their turn. The last step
 * is returned, so that nobody waits for a turn with nothing to do. A derivation that was left in the middle, or failed, can be
 * started again at any time.
 */
export type Derivation = AsyncGenerator<Progress, LastProgress, void>

/** Runs a derivation to its end and returns the keys of the turns that may have changed. */
export async function runDerivation(derivation: Derivation): Promise<TurnKey[]> {
  const changed: TurnKey[] = []
  for (;;) {
    const { value, done } = await derivation.next()
    for (const key of value.changed) changed.push(key)
    if (!done) continue
    for (const rest of value.rest?.values() ?? []) {
      for (const key of await runDerivation(rest)) changed.push(key)
    }
    return changed
  }
}
