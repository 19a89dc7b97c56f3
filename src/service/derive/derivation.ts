/** The key of a call. */
export type CallKey = { project_id: string; id: string }

/** The key of a row of `turns`. One call may have rows in two threads, and is retracted in one of them. */
export type TurnKey = { project_id: string; thread_id: string; id: string }

/** What a step has done. */
type Progress = {
  /** Turns that were written: `turns_by_start` and `threads` follow from them. */
  changed: readonly TurnKey[]
  /** Projects with much more to do: the others of the derivation need not wait for them. Only with the last step. */
  rest?: ReadonlyMap<string, Derivation>
}

/**
 * A derivation in steps of bounded size, a few statements each: between two steps other projects get their turn. A
 * derivation that was left in the middle, or failed, can be started again at any time.
 */
export type Derivation = AsyncGenerator<Progress, void, void>

/** Runs a derivation to its end and returns the keys of the turns that may have changed. */
export async function runDerivation(derivation: Derivation): Promise<TurnKey[]> {
  const changed: TurnKey[] = []
  for await (const progress of derivation) {
    for (const key of progress.changed) changed.push(key)
    for (const rest of progress.rest?.values() ?? []) {
      for (const key of await runDerivation(rest)) changed.push(key)
    }
  }
  return changed
}
