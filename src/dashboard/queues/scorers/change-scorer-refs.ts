/** A change of a queue's scorers. Without `from` one is added, without `to` one is removed. */
export type ScorerChange = { from?: string | undefined; to?: string | undefined; index?: number | undefined }

/**
 * The references after a change; undefined where `from` is not among them. A reference that is there already is not added
 * again. `inverse` undoes it.
 */
export function changeScorerRefs(
  refs: readonly string[],
  { from, to, index = refs.length }: ScorerChange,
): { refs: string[]; inverse: ScorerChange } | undefined {
  const place = from === undefined ? index : refs.indexOf(from)
  if (place < 0) return undefined
  const isNew = to !== undefined && !refs.includes(to)
  return {
    refs: refs.toSpliced(place, from === undefined ? 0 : 1, ...(isNew ? [to] : [])),
    inverse: { from: isNew ? to : undefined, to: from, index: place },
  }
}
