import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../../client/owner-key'
import { storedValue } from '../../client/stored-value'

/** Calls on their way into a queue. This tab keeps it through reloads, so that nothing that was asked for is forgotten. */
export const FillJob = z.object({
  queueName: z.string(),
  /** '' until the queue is created. */
  queueId: z.string(),
  /** What the queue is made of, where it is a new one. The key makes one queue of it, however often it is sent. */
  draft: z.nullable(z.object({ description: z.string(), scorerRefs: z.array(z.string()), idempotencyKey: z.string() })),
  displayFields: z.array(z.string()),
  totalCount: z.number(),
  /** Those that are not known to be in the queue yet, in their order. */
  callIds: z.array(z.string()),
  /** The first of them were sent, and no reply is known: they may be in the queue already. */
  isUncertain: z.boolean(),
  /** How many items the queue had before; null where that is not known. */
  itemCountBefore: z.nullable(z.number()),
  addedCount: z.number(),
  duplicateCount: z.number(),
  unknownIds: z.array(z.string()),
})
export type FillJob = z.infer<typeof FillJob>

type Target = Pick<FillJob, 'queueName' | 'queueId' | 'draft' | 'displayFields'>

export function newFillJob(target: Target, callIds: readonly string[]): FillJob {
  const ids = [...callIds]
  const nothingYet = { isUncertain: false, addedCount: 0, duplicateCount: 0, unknownIds: [] }
  return { ...target, ...nothingYet, totalCount: ids.length, callIds: ids, itemCountBefore: target.draft ? 0 : null }
}

export function storedFillJob(owner: Owner) {
  return storedValue(FillJob, `spool.queue-fill ${ownerKey(owner)}`, 'tab')
}

type Reply = { added_count: number; duplicates: number; unknown_call_ids: readonly string[] }

/**
 * The job after a piece of its calls was added. A piece that was sent before counts what it finds there as duplicates,
 * although the first attempt added it: `itemCount`, how many items the queue has now, tells how many that are. It is null where
 * nobody knows.
 */
export function afterPiece(job: FillJob, pieceSize: number, reply: Reply, itemCount: number | null): FillJob {
  const { added_count: added, duplicates, unknown_call_ids: unknownIds } = reply
  const grownBy = itemCount === null || job.itemCountBefore === null ? added : itemCount - job.itemCountBefore - job.addedCount
  const reallyAdded = Math.min(Math.max(grownBy, added), added + duplicates)
  return {
    ...job,
    callIds: job.callIds.slice(pieceSize),
    isUncertain: false,
    addedCount: job.addedCount + reallyAdded,
    duplicateCount: job.duplicateCount + duplicates - (reallyAdded - added),
    unknownIds: [...job.unknownIds, ...unknownIds],
  }
}
