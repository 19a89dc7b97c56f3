import * as z from 'zod/mini'
import type { Connection } from '../client/connection'
import { randomHex } from '../client/random-hex'
import { storedValue } from '../client/stored-value'

/**
 * A queue not yet made, as this device keeps it through close, reload and failure. `idempotencyKey` belongs to the draft:
 * however often it is sent, one queue comes of it.
 */
export const QueueDraft = z.object({
  idempotencyKey: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
})
export type QueueDraft = z.infer<typeof QueueDraft>

/** The one draft of a connection and project. */
export function draftStore({ id, projectId }: Pick<Connection, 'id' | 'projectId'>) {
  return storedValue(QueueDraft, `spool.queue-draft ${id} ${projectId}`, 'device')
}

export function newDraft(content: Partial<QueueDraft> = {}): QueueDraft {
  return { name: '', description: '', scorer_refs: [], ...content, idempotencyKey: newKey() }
}

export function isEmptyDraft({ name, description, scorer_refs }: QueueDraft): boolean {
  return name === '' && description === '' && scorer_refs.length === 0
}

/** A version 4 UUID. */
function newKey(): string {
  return randomHex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
