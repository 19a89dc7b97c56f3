/** The rows of each project, in order. */
export function groupByProject<Row>(rows: Iterable<Row>, projectOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const projectId = projectOf(row)
    const group = groups.get(projectId)
    if (group) group.push(row)
    else groups.set(projectId, [row])
  }
  return groups
}
