/** The start of a call that is alone in its trace, for `/call/upsert_batch`. */
export function toCallStart(projectId: string, id: string) {
  const start = { project_id: projectId, id, trace_id: id + id, op_name: 'answer', started_at: '2026-01-01T00:00:00Z' }
  return { mode: 'start', req: { start: { ...start, attributes: {}, inputs: {} } } }
}
