import * as z from 'zod/mini'
import type { RequestReader } from '../http/route'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import type { ItemRow } from './item-sql'
import type { StoredQueue } from './queue-store'
import { isComparable, readFieldKinds, type ReadRefs } from './read-specs'

const DisagreementRow = z.object({ refs: z.array(z.string()) })

/**
 * Where this person's review is the last that the queue asks for: the number of reviews, if two of these reviewers gave
 * different values for a scorer, else 0. The item then asks for one more review by another person, and for no other one after
 * that. Values of booleans, numbers and categories are compared, texts and lists never. It is decided once, when the review is
 * completed: a correction that comes later counts in the results and brings no item back.
 */
export async function findDisagreement(
  { store, readRefs }: { store: Store; readRefs: ReadRefs },
  { queue, item, annotator }: { queue: StoredQueue; item: ItemRow; annotator: string },
  reader: RequestReader,
): Promise<number> {
  const others = item.reviews.filter(([, state]) => state === 'completed').map(([name]) => name)
  const { reviews_per_item: reviewsPerItem } = queue
  if (reviewsPerItem < 2 || others.length + 1 !== reviewsPerItem) return 0
  const statement = sql`SELECT groupUniqArray(annotation_ref) AS refs
FROM (
  SELECT scorer, annotator, argMax(value, (created_at, id)) AS value, argMax(annotation_ref, (created_at, id)) AS annotation_ref
  FROM queue_answers FINAL
  WHERE project_id = ${queue.project_id} AND queue_id = ${queue.id} AND call_id = ${item.call_id}
    AND annotator IN ${[...others, annotator]} AND is_deleted = 0
  GROUP BY scorer, annotator
)
GROUP BY scorer HAVING uniqExact(value) > 1`
  const differing = await store.query(statement, DisagreementRow, { ...reader, lane: 'write' })
  const refs = differing.flatMap((row) => row.refs)
  const kinds = await readFieldKinds(readRefs, queue.project_id, refs, reader)
  return [...kinds.values()].some(isComparable) ? reviewsPerItem : 0
}
