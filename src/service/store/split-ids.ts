/** To bind so many takes the thread of the engine about 20 ms, in which it starts nothing else. */
export const maxIdsPerStatement = 5000

/** Ids, or rows that are found by theirs, in lists of which a statement takes one each. */
export function* splitIds<Item>(ids: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < ids.length; start += maxIdsPerStatement) yield ids.slice(start, start + maxIdsPerStatement)
}
