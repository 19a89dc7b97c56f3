/** The thread that `writeLongThread` fills. */
export const longThreadId = 'long-thread'

/** A turn of half a kilobyte that has ended, as `/calls/complete` takes it. As a start its end is ignored. */
export function buildCall(projectId: string, id: string, threadId = `thread-${id.slice(0, 2)}`) {
  return {
    project_id: projectId,
    id,
    trace_id: id + id,
    turn_id: id,
    thread_id: threadId,
    op_name: 'answer',
    started_at: '2026-01-01T00:00:00.000001Z',
    ended_at: '2026-01-01T00:00:01.5Z',
    attributes: {},
    inputs: { question: `Where is order ${id}?` },
    output: 'On its way.',
    summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 812, completion_tokens: 64 } } },
  }
}

/** An OTLP request in JSON. A span without a parent has '' as its `parentId`. */
export function buildSpans(
  projectId: string,
  traceId: string,
  conversation: string,
  spans: readonly { id: string; parentId: string }[],
): string {
  const [entity, project] = projectId.split('/')
  const attribute = (key: string, value: string | undefined) => ({ key, value: { stringValue: value } })
  const resource = { attributes: [attribute('wandb.entity', entity), attribute('wandb.project', project)] }
  const attributes = [
    attribute('gen_ai.conversation.id', conversation),
    attribute('gen_ai.request.model', 'gpt-4o'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '812' } },
  ]
  const written = spans.map(({ id, parentId }) => ({
    traceId,
    spanId: id,
    parentSpanId: parentId,
    name: 'answer',
    kind: 1,
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601000000000',
    attributes,
  }))
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: written }] }] })
}
