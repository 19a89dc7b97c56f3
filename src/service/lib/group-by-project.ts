/** The rows of each project, in their order. */
export function groupByProject<Row>(rows: Iterable<Row>, toProjectId: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const projectId = toProjectId(row)
    const group = groups.get(projectId)
    if (group) group.push(row)
    else groups.set(projectId, [row])
  }
  return groups
}
