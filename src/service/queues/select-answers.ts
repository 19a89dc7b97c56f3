import { isNotDeleted } from '../store/merged-calls'
import { type Sql, sql } from '../store/sql'
import { selectCompletions } from './item-sql'

/**
 * The answers of a queue that count, as a subquery with `scorer, item_id, call_id, annotator, value, annotation_ref, id,
 * created_at, answer_count`: one for each scorer, item and person who completed the item, the last that the person gave.
 */
export function selectAnswers(projectId: string, queueId: string): Sql {
  const callIds = sql`SELECT call_id FROM queue_items WHERE project_id = ${projectId} AND queue_id = ${queueId}`
  return sql`(
  SELECT answers.scorer AS scorer, any(done.item_id) AS item_id, answers.call_id AS call_id, answers.annotator AS annotator,
    argMax(answers.value, (answers.created_at, answers.id)) AS value,
    argMax(answers.annotation_ref, (answers.created_at, answers.id)) AS annotation_ref,
    argMax(answers.id, (answers.created_at, answers.id)) AS id, max(answers.created_at) AS created_at, count() AS answer_count
  FROM (
    SELECT scorer, call_id, annotator, value, annotation_ref, id, created_at FROM queue_answers FINAL
    WHERE project_id = ${projectId} AND queue_id = ${queueId} AND is_deleted = 0 AND value != ''
      AND ${isNotDeleted(sql`call_id`, projectId, callIds)}
  ) AS answers
  INNER JOIN ${selectCompletions(projectId, queueId)} AS done
    ON done.call_id = answers.call_id AND done.annotator = answers.annotator
  GROUP BY answers.scorer, answers.call_id, answers.annotator
)`
}
