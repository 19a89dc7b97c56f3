import { toItemId } from '../src/service/queues/item-store'
import { microsecondsToEngineTime } from '../src/service/store/engine-time'
import { sql, uint64 } from '../src/service/store/sql'
import type { Store } from '../src/service/store/store'

type Amounts = { itemCount: number; reviewedCount: number; reviewsPerItem: number; scorerCount: number }
type Target = { project_id: string; id: string }

/**
 * Fills a queue past the wire, where it would take hours. The first items are judged by p0, p1 and so on for the scorers s0, s1
 * and so on; with five people one item in ten differently.
 */
export async function fillQueue(
  store: Store,
  { project_id: projectId, id: queueId }: Target,
  { itemCount, reviewedCount, reviewsPerItem, scorerCount }: Amounts,
): Promise<void> {
  const rows = Array.from({ length: itemCount }, (_, index) => {
    const callId = index.toString(16).padStart(16, '0')
    const time = microsecondsToEngineTime(Date.UTC(2026, 0, 1) * 1000 + index)
    const call = { call_id: callId, call_started_at: time, call_op_name: 'answer', call_trace_id: callId }
    return {
      project_id: projectId,
      queue_id: queueId,
      id: toItemId(queueId, callId),
      ...call,
      added_by: 'bench',
      created_at: time,
      version: 1,
    }
  })
  for (let start = 0; start < itemCount; start += 1000) await store.insert('queue_items', rows.slice(start, start + 1000))
  const reviewed = sql`(SELECT id, call_id, row_number() OVER (ORDER BY created_at) AS position FROM queue_items
    WHERE project_id = ${projectId} AND queue_id = ${queueId} ORDER BY position LIMIT ${uint64(reviewedCount)}) AS items
  CROSS JOIN (SELECT number FROM numbers(${uint64(reviewsPerItem)})) AS people`
  await store.command(sql`INSERT INTO queue_marks (project_id, queue_id, item_id, call_id, annotator, state, marked_at)
SELECT ${projectId}, ${queueId}, id, call_id, concat('p', toString(number)), 'completed', toDateTime64('2026-01-02 00:00:00', 6, 'UTC') FROM ${reviewed}`)
  await store.command(sql`INSERT INTO queue_answers
  (project_id, queue_id, call_id, scorer, annotator, id, annotation_ref, value, created_at, version)
SELECT ${projectId}, ${queueId}, call_id, concat('s', toString(scorer)), concat('p', toString(number)), toString(generateUUIDv4()),
  concat('weave:///', ${projectId}, '/object/s', toString(scorer), ':1'), toString(position % 5 + (number = 4 AND position % 10 = 0)), now64(6), 1
FROM ${reviewed} CROSS JOIN (SELECT number AS scorer FROM numbers(${uint64(scorerCount)})) AS scorers`)
}
