const maxNamed = 10

/** The ids that have no thread among `rows`, which must be all that were found. */
export function findMissingIds(ids: readonly string[], rows: readonly { thread_id: string }[]): string[] {
  const found = new Set(rows.map(({ thread_id: id }) => id))
  return ids.filter((id) => !found.has(id))
}

export function formatMissingIds(missing: readonly string[], count: number, hasTimeFilter: boolean): string {
  const names = missing.slice(0, maxNamed).join(', ')
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ''
  const reason = hasTimeFilter ? 'have no turn in this time range' : 'were not found'
  return `${missing.length} of ${count} thread ids ${reason}: ${names}${more}`
}
