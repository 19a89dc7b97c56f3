import { type Sql, sql } from './sql'
import { durable } from './durable'

// What is in annotation queues, and what people did with it.

/** How many people judge an item of a queue, and who; [] is everybody. */
export const addReviewSettings = sql`ALTER TABLE queues
  ADD COLUMN IF NOT EXISTS reviews_per_item UInt8 DEFAULT 1,
  ADD COLUMN IF NOT EXISTS assignees Array(String)`

export const addArchived = sql`ALTER TABLE queues ADD COLUMN IF NOT EXISTS archived UInt8`

/**
 * The calls of queues. The id is computed from queue and call, so a call that two people add at once is one item. Later rows
 * have lower versions, so the first one is kept.
 */
export const queueItems = sql`CREATE TABLE IF NOT EXISTS queue_items (
  project_id LowCardinality(String),
  queue_id String,
  id String,
  call_id String,
  call_started_at DateTime64(6, 'UTC'),
  call_ended_at Nullable(DateTime64(6, 'UTC')),
  call_op_name String,
  call_trace_id String,
  display_fields Array(String),
  added_by String,
  created_at DateTime64(6, 'UTC'),
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, queue_id, id) SETTINGS index_granularity = 1024, ${durable}`

/**
 * What people did with items, in rows that are only added, so that their number tells whether there are new ones. `state` is
 * 'leased', 'released' (a lease that ended before its time), 'in_progress', 'completed', 'skipped' or 'resumed' (the skip before
 * it was taken back). `disagreed_at` is the number of reviews at which the reviewers disagreed, in the row that completed the
 * last of them, else 0.
 */
export const queueMarks = sql`CREATE TABLE IF NOT EXISTS queue_marks (
  project_id LowCardinality(String),
  queue_id String,
  item_id String,
  call_id String,
  annotator String,
  state LowCardinality(String),
  marked_at DateTime64(6, 'UTC'),
  lease_expires_at DateTime64(6, 'UTC'),
  disagreed_at UInt8
) ENGINE = MergeTree ORDER BY (project_id, queue_id, item_id, annotator, marked_at)
SETTINGS index_granularity = 1024, ${durable}`

/** Annotations that were given in a queue, by queue: narrow copies of feedback. `value` is JSON. */
export const queueAnswers = sql`CREATE TABLE IF NOT EXISTS queue_answers (
  project_id LowCardinality(String),
  queue_id String,
  call_id String,
  scorer String,
  annotator String,
  id String,
  annotation_ref String,
  value String CODEC(ZSTD(1)),
  created_at DateTime64(6, 'UTC'),
  is_deleted UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, queue_id, call_id, scorer, annotator, id)
SETTINGS index_granularity = 1024, ${durable}`

const answerColumns = sql`project_id, queue_id, call_id, scorer, annotator, id, annotation_ref, value, created_at, is_deleted, version`

const selectQueueAnswers = sql`SELECT project_id, assumeNotNull(feedback.queue_id) AS queue_id,
  splitByChar('/', weave_ref)[7] AS call_id, substring(feedback_type, length('wandb.annotation.') + 1) AS scorer,
  created_by AS annotator, id, ifNull(feedback.annotation_ref, '') AS annotation_ref, JSONExtractRaw(payload, 'value') AS value,
  created_at, is_deleted, version
FROM feedback
WHERE feedback.queue_id IS NOT NULL AND startsWith(feedback_type, 'wandb.annotation.')
  AND startsWith(weave_ref, concat('weave:///', project_id, '/call/'))`

// A view, as for call_starts: code that writes feedback need not know of queues, and deletions are copied too.
export const feedQueueAnswers = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS queue_answers_of_feedback TO queue_answers AS
${selectQueueAnswers}`

/** What the view does, once more for this feedback: a process that was killed may have written the feedback alone. */
export function repeatQueueAnswers(projectId: string, ids: readonly string[]): Sql {
  return sql`INSERT INTO queue_answers (${answerColumns}) ${selectQueueAnswers} AND project_id = ${projectId} AND id IN ${ids}`
}
