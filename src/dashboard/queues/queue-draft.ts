import * as z from 'zod/mini'
import type { Connection } from '../client/connection'
import { randomHex } from '../client/random-hex'
import { storedValue } from '../client/stored-value'

/**
 * A queue that is not created yet. This device keeps it through close, reload and failure. Every attempt to send it has
 * the same `idempotencyKey`, so that a retry cannot create a second queue.
 */
export const QueueDraft = z.object({
  idempotencyKey: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
})
export type QueueDraft = z.infer<typeof QueueDraft>

/** There is one draft for each connection and project. */
export function draftStore({ id, projectId }: Pick<Connection, 'id' | 'projectId'>) {
  return storedValue(QueueDraft, `spool.queue-draft ${id} ${projectId}`, 'device')
}

/** The content under a new idempotency key: sending it creates another queue. */
export function newDraft(content: Partial<QueueDraft> = {}): QueueDraft {
  return { name: '', description: '', scorer_refs: [], ...content, idempotencyKey: randomUuid() }
}

export function isEmptyDraft({ name, description, scorer_refs }: QueueDraft): boolean {
  return name === '' && description === '' && scorer_refs.length === 0
}

/** Version 4. */
function randomUuid(): string {
  return randomHex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
