import type { Migration } from './migrate'

// Without these a power cut may lose acknowledged rows: inserts are not synced by default, and a merge replaces synced
// parts by an unsynced one and drops them at once. On table level the same DDL serves a server.
const durable = `fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480, non_replicated_deduplication_window = 1000`

/**
 * A call as the merge of its parts: whatever order they arrive in and however often, max and min give the same.
 * '' is "no part has said so yet" where an empty text means nothing, NULL where it does. `thread_ids` and `turn_ids` keep
 * all that was ever said, the greatest counts: so that a turn moved to another thread is taken back from the first.
 * Granules are small because calls are read one by one, by ids that lie anywhere.
 */
const calls = `CREATE TABLE IF NOT EXISTS calls (
  project_id LowCardinality(String),
  id String,
  trace_id SimpleAggregateFunction(max, String),
  parent_id SimpleAggregateFunction(max, String),
  thread_id SimpleAggregateFunction(max, String),
  thread_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  turn_id SimpleAggregateFunction(max, String),
  turn_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  op_name SimpleAggregateFunction(max, String),
  display_name SimpleAggregateFunction(max, Nullable(String)),
  exception SimpleAggregateFunction(max, Nullable(String)),
  started_at SimpleAggregateFunction(min, Nullable(DateTime64(6, 'UTC'))),
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  attributes SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  inputs SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  output SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  summary SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  inserted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) DEFAULT now64(6)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, id)
SETTINGS index_granularity = 1024, index_granularity_bytes = 262144, ${durable}`

/**
 * The turns alone, narrow, by thread. `is_retracted` never goes back to 0, and need not: a call leaves a thread only for a
 * greater thread id or turn id, and then for good.
 */
const turns = `CREATE TABLE IF NOT EXISTS turns (
  project_id LowCardinality(String),
  thread_id String,
  id String,
  started_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  is_retracted SimpleAggregateFunction(max, UInt8),
  inserted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) DEFAULT now64(6)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, thread_id, id) SETTINGS index_granularity = 512, ${durable}`

/** Threads summed up from `turns`, so that a list need not read them all. Derived: it can be rebuilt at any time. */
const threads = `CREATE TABLE IF NOT EXISTS threads (
  project_id LowCardinality(String),
  thread_id String,
  turn_count UInt32,
  start_time DateTime64(6, 'UTC'),
  last_updated DateTime64(6, 'UTC'),
  first_turn_id String,
  last_turn_id Nullable(String),
  p50_turn_duration_ms Nullable(Float64),
  p99_turn_duration_ms Nullable(Float64),
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, thread_id) SETTINGS index_granularity = 1024, ${durable}`

/** Costs are currency units per single token; NULL where the source knows none. */
const costs = `CREATE TABLE IF NOT EXISTS costs (
  project_id LowCardinality(String),
  id String,
  llm_id String,
  provider_id String,
  prompt_token_cost Nullable(Float64),
  completion_token_cost Nullable(Float64),
  prompt_token_cost_unit String,
  completion_token_cost_unit String,
  effective_date DateTime64(6, 'UTC'),
  created_at DateTime64(6, 'UTC'),
  created_by String,
  is_deleted UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, llm_id, effective_date, id) SETTINGS ${durable}`

const queues = `CREATE TABLE IF NOT EXISTS queues (
  project_id LowCardinality(String),
  id String,
  name String,
  description String,
  scorer_refs Array(String),
  created_at DateTime64(6, 'UTC'),
  created_by String,
  updated_at DateTime64(6, 'UTC'),
  deleted_at Nullable(DateTime64(6, 'UTC')),
  idempotency_key String,
  request_digest String,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, id) SETTINGS ${durable}`

/** What the service has to remember about itself, by name. */
const markers = `CREATE TABLE IF NOT EXISTS markers (name String, value String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY name SETTINGS ${durable}`

/**
 * What OTLP says of a call. A span that comes without a thread leaves the lists empty: only the place of a thread's spans
 * in their trace is ever asked for. All of it grows only, as `thread_ids` does.
 */
const spansOfCalls = `ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS is_span SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS is_conversation SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS trace_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  ADD COLUMN IF NOT EXISTS parent_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String))`

/**
 * The spans that have a thread, narrow, by trace: whether a span of a conversation is a turn is decided by its parents,
 * which may arrive long after it. Derived from `calls`.
 */
const threadSpans = `CREATE TABLE IF NOT EXISTS thread_spans (
  project_id LowCardinality(String),
  trace_id String,
  id String,
  parent_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  thread_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  thread_id SimpleAggregateFunction(max, String),
  is_conversation SimpleAggregateFunction(max, UInt8),
  started_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC')))
) ENGINE = AggregatingMergeTree ORDER BY (project_id, trace_id, id) SETTINGS index_granularity = 256, ${durable}`

/** Who sent the start of a call. */
const sendersOfCalls = `ALTER TABLE calls ADD COLUMN IF NOT EXISTS wb_user_id SimpleAggregateFunction(max, String)`

/** Prices of tokens read from a cache or written to one, in units per token; NULL where the source knows none. */
const cachePrices = `ALTER TABLE costs
  ADD COLUMN IF NOT EXISTS cache_read_input_token_cost Nullable(Float64),
  ADD COLUMN IF NOT EXISTS cache_creation_input_token_cost Nullable(Float64)`

/**
 * Where calls are found: one row for each start that was ever said of a call, narrow and by time, so that a page of the
 * newest reads a page, and calls of one thread or trace lie near each other. A superset: what a call is, is known only
 * from `calls`, so whoever finds an id here looks there before believing it.
 */
const callStarts = `CREATE TABLE IF NOT EXISTS call_starts (
  project_id LowCardinality(String),
  started_at DateTime64(6, 'UTC') CODEC(Delta(8), LZ4),
  id String,
  trace_id String,
  parent_id String,
  thread_id String,
  turn_id String,
  op_name LowCardinality(String),
  is_span UInt8,
  INDEX by_trace trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_parent parent_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_thread thread_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_turn turn_id TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = ReplacingMergeTree
ORDER BY (project_id, started_at, id, trace_id, parent_id, thread_id, turn_id, op_name)
PRIMARY KEY (project_id, started_at, id) SETTINGS index_granularity = 1024, ${durable}`

const startsOfCalls = `SELECT project_id, assumeNotNull(started_at) AS started_at, id, trace_id, parent_id, thread_id, turn_id,
  op_name, is_span
FROM calls WHERE calls.started_at IS NOT NULL`

// A view, so that no way of writing calls can forget it, and an insert is acknowledged when both are on disk.
const feedCallStarts = `CREATE MATERIALIZED VIEW IF NOT EXISTS call_starts_of_calls TO call_starts AS ${startsOfCalls}`

const fillCallStarts = `INSERT INTO call_starts ${startsOfCalls}`

/**
 * Versions of objects, each known by what it holds: the same content under the same name is one row, whoever sends it and
 * however often. `revision` is odd while the version is deleted and only rises, so no clock decides which came last.
 */
const objectVersions = `CREATE TABLE IF NOT EXISTS object_versions (
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

/** Contents of files in pieces, as base64: rows are inserted as JSON, which cannot carry bytes. */
const fileChunks = `CREATE TABLE IF NOT EXISTS file_chunks (
  project_id LowCardinality(String),
  digest String,
  chunk_index UInt32,
  chunk_count UInt32,
  content String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest, chunk_index) SETTINGS index_granularity = 1, ${durable}`

/** Tables of rows. A table is there when its row in `tables` is, which is written last; rows are kept once however many hold them. */
const tables = `CREATE TABLE IF NOT EXISTS tables (
  project_id LowCardinality(String),
  digest String,
  row_count UInt32
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS ${durable}`

const tablePositions = `CREATE TABLE IF NOT EXISTS table_positions (
  project_id LowCardinality(String),
  table_digest String,
  position UInt32,
  row_digest String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, table_digest, position) SETTINGS index_granularity = 1024, ${durable}`

const tableRows = `CREATE TABLE IF NOT EXISTS table_rows (
  project_id LowCardinality(String),
  digest String,
  val String CODEC(ZSTD(1)),
  size_bytes UInt64
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS index_granularity = 512, ${durable}`

/** What people and scorers say of calls and objects. `payload` is JSON, its size in bytes beside it. */
const feedback = `CREATE TABLE IF NOT EXISTS feedback (
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

/** The name a call was given after its start: the highest version counts, and '' takes the name away again. */
const givenNames = `ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS given_name SimpleAggregateFunction(max, Tuple(version UInt64, name String))`

/**
 * Every start a turn was ever written with; the least counts. What stands in `turns_by_start` under another is taken back.
 */
const startsOfTurns = `ALTER TABLE turns ADD COLUMN IF NOT EXISTS
  started_ats SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(6, 'UTC'))) DEFAULT [started_at]`

/**
 * The turns once more, by time: a window of starts costs what it holds, and merging rows costs little since parts written
 * one after the other hardly overlap. A row stands for one start of a turn and is retracted once the turn has a smaller
 * one. Derived from `turns`.
 */
const turnsByStart = `CREATE TABLE IF NOT EXISTS turns_by_start (
  project_id LowCardinality(String),
  started_at DateTime64(6, 'UTC'),
  thread_id String,
  id String,
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  is_retracted SimpleAggregateFunction(max, UInt8)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, started_at, thread_id, id) SETTINGS index_granularity = 2048, ${durable}`

const fillTurnsByStart = `INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT project_id, started_at, thread_id, id, ended_at, 0 FROM turns FINAL WHERE is_retracted = 0`

/** The tables' history. Never edit a step that has been released; add one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'calls, turns, threads, costs, queues', statements: [calls, turns, threads, costs, queues] },
  { number: 2, name: 'markers', statements: [markers] },
  { number: 3, name: 'spans', statements: [spansOfCalls, threadSpans] },
  {
    number: 4,
    name: 'reading calls',
    statements: [sendersOfCalls, cachePrices, callStarts, feedCallStarts, fillCallStarts],
  },
  {
    number: 5,
    name: 'objects, files, tables, feedback',
    statements: [objectVersions, fileChunks, tables, tablePositions, tableRows, feedback, givenNames],
  },
  { number: 6, name: 'turns by their start', statements: [startsOfTurns, turnsByStart, fillTurnsByStart] },
]
