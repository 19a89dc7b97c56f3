import { randomUUID } from 'node:crypto'
import type { SpoolClient } from './spool-client'

export type Schema = Readonly<Record<string, unknown>>

/** A queue of turns of one thread, with an annotation spec for each schema. Returns the ids of the queue and of its calls. */
export async function createReviewQueue(
  client: SpoolClient,
  projectId: string,
  {
    schemas,
    count,
    displayFields = [],
    more = {},
  }: { schemas: Record<string, Schema>; count: number; displayFields?: string[]; more?: object },
): Promise<{ queueId: string; callIds: string[] }> {
  const refs: string[] = []
  for (const [name, field_schema] of Object.entries(schemas)) {
    const obj = { project_id: projectId, object_id: name, val: { name, field_schema }, builtin_object_class: 'AnnotationSpec' }
    const { digest } = (await client.postJson('/obj/create', { obj })) as { digest: string } // the contract says so
    refs.push(`weave:///${projectId}/scorer/${name}:${digest}`)
  }
  const callIds = await writeConversation(client, projectId, count)
  const queue = { project_id: projectId, name: 'Support answers', scorer_refs: refs, ...more }
  const { id: queueId } = (await client.postJson('/annotation_queues', queue)) as { id: string } // as above
  const items = { project_id: projectId, call_ids: callIds, display_fields: displayFields }
  if (count > 0) await client.postJson(`/annotation_queues/${queueId}/items`, items)
  return { queueId, callIds }
}

/** Finished turns of one thread, a second apart. */
async function writeConversation(client: SpoolClient, projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  const batch = ids.flatMap((id, index) => {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
    const own = { project_id: projectId, id }
    const messages = [
      { role: 'system', content: 'You answer customers of a shop.' },
      { role: 'user', content: `Question ${index + 1}: where is my parcel?` },
    ]
    const thread = { thread_id: 'support-1', turn_id: id }
    const start = {
      ...own,
      trace_id: randomUUID(),
      op_name: 'answer',
      started_at: startedAt,
      attributes: {},
      inputs: { messages },
    }
    const output = { choices: [{ message: { role: 'assistant', content: `Answer ${index + 1}: it arrives tomorrow.` } }] }
    return [
      { mode: 'start', req: { start: { ...start, ...thread } } },
      { mode: 'end', req: { end: { ...own, ended_at: startedAt, summary: {}, output } } },
    ]
  })
  for (let first = 0; first < batch.length; first += 1000) {
    await client.postJson('/call/upsert_batch', { batch: batch.slice(first, first + 1000) })
  }
  return ids
}

export type StoredAnswer = { call_id: string; scorer: string; value: unknown; annotator: string; answer_count: number }

/** The answers of a queue that count. */
export async function readAnswers(client: SpoolClient, projectId: string, queueId: string): Promise<StoredAnswer[]> {
  const results = (await client.postJson(`/annotation_queues/${queueId}/results`, { project_id: projectId })) as {
    items: { call_id: string; answers: Omit<StoredAnswer, 'call_id'>[] }[]
  } // the contract says so
  return results.items.flatMap(({ call_id, answers }) => answers.map((answer) => ({ ...answer, call_id })))
}
