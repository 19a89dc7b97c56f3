import { sql } from './sql'
import { durable } from './durable'

// What only SDKs store: objects, files, tables, feedback.

/**
 * Versions of objects, identified by their content: the same content under the same name is one row, however often it is
 * sent. `revision` counts deletions and restorations and is odd while the version is deleted, so no clock decides which
 * came last.
 */
export const objectVersions = sql`CREATE TABLE IF NOT EXISTS object_versions (
  project_id LowCardinality(String),
  object_id String,
  digest String,
  kind SimpleAggregateFunction(max, String),
  base_object_class SimpleAggregateFunction(max, Nullable(String)),
  leaf_object_class SimpleAggregateFunction(max, Nullable(String)),
  val SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  size_bytes SimpleAggregateFunction(max, UInt64),
  created_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  created_by SimpleAggregateFunction(min, String),
  revision SimpleAggregateFunction(max, UInt32)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, object_id, digest) SETTINGS index_granularity = 512, ${durable}`

/** The content of files in chunks, as base64: rows are inserted as JSON, which cannot hold bytes. */
export const fileChunks = sql`CREATE TABLE IF NOT EXISTS file_chunks (
  project_id LowCardinality(String),
  digest String,
  chunk_index UInt32,
  chunk_count UInt32,
  content String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest, chunk_index) SETTINGS index_granularity = 1, ${durable}`

/** Tables of SDKs. A table's row in `tables` is written last: without it the table does not exist. */
export const tables = sql`CREATE TABLE IF NOT EXISTS tables (
  project_id LowCardinality(String),
  digest String,
  row_count UInt32
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS ${durable}`

/** Which rows a table has, in order. */
export const tablePositions = sql`CREATE TABLE IF NOT EXISTS table_positions (
  project_id LowCardinality(String),
  table_digest String,
  position UInt32,
  row_digest String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, table_digest, position) SETTINGS index_granularity = 1024, ${durable}`

/** The content of rows. Tables with an equal row share it. */
export const tableRows = sql`CREATE TABLE IF NOT EXISTS table_rows (
  project_id LowCardinality(String),
  digest String,
  val String CODEC(ZSTD(1)),
  size_bytes UInt64
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS index_granularity = 512, ${durable}`

/** Feedback of people and scorers on calls and objects. `payload` is JSON; `size_bytes` is its size. */
export const feedback = sql`CREATE TABLE IF NOT EXISTS feedback (
  project_id LowCardinality(String),
  id String,
  weave_ref String,
  feedback_type String,
  creator Nullable(String),
  created_at DateTime64(6, 'UTC'),
  created_by String,
  annotation_ref Nullable(String),
  runnable_ref Nullable(String),
  call_ref Nullable(String),
  trigger_ref Nullable(String),
  payload String CODEC(ZSTD(1)),
  size_bytes UInt64,
  is_deleted UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, id) SETTINGS ${durable}`

/** The annotation queue that feedback was given in. */
export const addFeedbackQueue = sql`ALTER TABLE feedback ADD COLUMN IF NOT EXISTS queue_id Nullable(String)`
