import { compareText } from '../../contract/compare-text'
import { findParents } from '../lib/find-parents'
import type { TimeSlices } from '../lib/time-slices'
import type { AssignableCall } from './assign-calls'

/**
 * By call, the first failure below it: of the failed calls with no failed call below them, the one that started first, of
 * those the one with the least id. A call that failed only because one below it did is not where it began.
 */
export async function findFirstFailures(
  trace: readonly (AssignableCall & { started_at: string })[],
  aboveFailure: ReadonlySet<string>,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, string>> {
  const firstById = new Map<string, string>()
  if (aboveFailure.size === 0) return firstById
  const parentById = await findParents(trace, slices, (call) => call.is_turn)
  const failures = trace
    .filter(({ id, has_failed: hasFailed }) => hasFailed && !aboveFailure.has(id))
    .toSorted((left, right) => compareText(left.started_at, right.started_at) || compareText(left.id, right.id))
  for (const failure of failures) {
    if (slices.isOver) await slices.next()
    // What is above a call with an earlier failure has an earlier one too.
    for (let above = parentById.get(failure.id); above && !firstById.has(above.id); above = parentById.get(above.id)) {
      firstById.set(above.id, failure.id)
    }
  }
  return firstById
}
