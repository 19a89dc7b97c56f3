import { isNotDeleted } from '../store/merged-calls'
import { type Sql, sql } from '../store/sql'
import { selectCompletions } from './item-sql'

// The answers of a queue that count: one for each scorer, call and person who completed the item, the last that the person gave.

/** `scorer, call_id, annotator, value, annotation_ref`, with '' for values of scorers that are not `comparable`. */
export function selectAnswers(projectId: string, queueId: string, comparable: readonly string[]): Sql {
  const callIds = sql`SELECT call_id FROM queue_items WHERE project_id = ${projectId} AND queue_id = ${queueId}`
  return sql`(
  SELECT scorer, call_id, annotator, last.1 AS value, last.2 AS annotation_ref
  FROM (
    SELECT scorer, call_id, annotator, argMax((compared, annotation_ref), (created_at, id)) AS last
    FROM (
      SELECT scorer, call_id, annotator, if(has(${comparable}, scorer), value, '') AS compared, annotation_ref, id, created_at
      FROM queue_answers FINAL
      WHERE project_id = ${projectId} AND queue_id = ${queueId} AND is_deleted = 0 AND value != ''
        AND ${isNotDeleted(sql`call_id`, projectId, callIds)}
        AND (call_id, annotator) IN (SELECT call_id, annotator FROM ${selectCompletions(projectId, queueId)})
    )
    GROUP BY scorer, call_id, annotator
  )
)`
}

/** The same for some calls, with `id, created_at, answer_count` and all values, by scorer and person. */
export function selectAnswersOfCalls(projectId: string, queueId: string, callIds: readonly string[]): Sql {
  return sql`(
  SELECT scorer, call_id, annotator, last.1 AS value, last.2 AS annotation_ref, last.3 AS id, last.4 AS created_at,
    toUInt32(given) AS answer_count
  FROM (
    SELECT scorer, call_id, annotator, argMax((value, annotation_ref, id, created_at), (created_at, id)) AS last, count() AS given
    FROM (
      SELECT scorer, call_id, annotator, value, annotation_ref, id, created_at FROM queue_answers FINAL
      WHERE project_id = ${projectId} AND queue_id = ${queueId} AND call_id IN ${callIds} AND is_deleted = 0 AND value != ''
    )
    WHERE (call_id, annotator) IN (
      SELECT call_id, annotator FROM ${selectCompletions(projectId, queueId)} WHERE call_id IN ${callIds})
    GROUP BY scorer, call_id, annotator
  )
  ORDER BY scorer, annotator
)`
}
