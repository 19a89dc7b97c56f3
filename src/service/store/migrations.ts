import type { Migration } from './migrate'
import { sql } from './sql'

// Without these settings a power cut may lose acknowledged rows: by default inserts are not synced, and a merge replaces
// synced parts by an unsynced one and deletes them at once. As table settings they hold on a server too.
const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
  min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480, non_replicated_deduplication_window = 1000`

/**
 * A call as the merge of its parts. max() and min() give the same in whatever order parts arrive and however often. A value
 * that no part has set is NULL where '' has a meaning, and '' elsewhere. `thread_ids` and `turn_ids` keep the values of
 * all parts, so that a turn that moves to another thread can be retracted from the first; the highest value counts.
 * Granules are small because calls are read one by one, by scattered ids.
 */
const calls = sql`CREATE TABLE IF NOT EXISTS calls (
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
 * The turns, narrow and by thread. Derived from `calls`. `is_retracted` never goes back to 0 and does not have to: a call
 * leaves a thread only for a higher thread id or turn id.
 */
const turns = sql`CREATE TABLE IF NOT EXISTS turns (
  project_id LowCardinality(String),
  thread_id String,
  id String,
  started_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  is_retracted SimpleAggregateFunction(max, UInt8),
  inserted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) DEFAULT now64(6)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, thread_id, id) SETTINGS index_granularity = 512, ${durable}`

/** One row for each thread, so that a list of threads does not read all turns. Derived from `turns`. */
const threads = sql`CREATE TABLE IF NOT EXISTS threads (
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

/** Costs are in currency units per token; NULL means unknown. */
const costs = sql`CREATE TABLE IF NOT EXISTS costs (
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

const queues = sql`CREATE TABLE IF NOT EXISTS queues (
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

/** Small facts that the service keeps about itself, by name. */
const markers = sql`CREATE TABLE IF NOT EXISTS markers (name String, value String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY name SETTINGS ${durable}`

/**
 * Columns for calls that come as OTLP spans. The lists keep the values of all parts, as `thread_ids` does. They are empty
 * for spans without a thread, because only spans with one are looked up in their trace.
 */
const addSpanColumns = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS is_span SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS is_conversation SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS trace_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  ADD COLUMN IF NOT EXISTS parent_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String))`

/**
 * The spans that have a thread, narrow and by trace. Whether a span of a conversation is a turn depends on its parents, which
 * may arrive long after it. Derived from `calls`.
 */
const threadSpans = sql`CREATE TABLE IF NOT EXISTS thread_spans (
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

/** The user who sent the start of a call. */
const addCallUser = sql`ALTER TABLE calls ADD COLUMN IF NOT EXISTS wb_user_id SimpleAggregateFunction(max, String)`

/** Prices of tokens read from a cache and written to one, in currency units per token; NULL means unknown. */
const addCachePrices = sql`ALTER TABLE costs
  ADD COLUMN IF NOT EXISTS cache_read_input_token_cost Nullable(Float64),
  ADD COLUMN IF NOT EXISTS cache_creation_input_token_cost Nullable(Float64)`

/**
 * An index of calls: one row for each start that a call ever had, narrow and by time, so that a page of the newest calls
 * reads one page, and calls of one thread or trace are close to each other. Values may be outdated, because parts are not
 * merged here: check each id that is found against `calls`. Derived from `calls`.
 */
const callStarts = sql`CREATE TABLE IF NOT EXISTS call_starts (
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

// A view, so that no code path that writes calls can forget the index. An insert is acknowledged when both are on disk.
const feedCallStarts = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS call_starts_of_calls TO call_starts AS
SELECT project_id, assumeNotNull(started_at) AS started_at, id, trace_id, parent_id, thread_id, turn_id,
  op_name, is_span
FROM calls WHERE calls.started_at IS NOT NULL`

/**
 * Versions of objects, identified by their content: the same content under the same name is one row, however often it is
 * sent. `revision` counts deletions and restorations and is odd while the version is deleted, so no clock decides which
 * came last.
 */
const objectVersions = sql`CREATE TABLE IF NOT EXISTS object_versions (
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
const fileChunks = sql`CREATE TABLE IF NOT EXISTS file_chunks (
  project_id LowCardinality(String),
  digest String,
  chunk_index UInt32,
  chunk_count UInt32,
  content String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest, chunk_index) SETTINGS index_granularity = 1, ${durable}`

/** Tables of SDKs. A table's row in `tables` is written last: without it the table does not exist. */
const tables = sql`CREATE TABLE IF NOT EXISTS tables (
  project_id LowCardinality(String),
  digest String,
  row_count UInt32
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS ${durable}`

/** Which rows a table has, in order. */
const tablePositions = sql`CREATE TABLE IF NOT EXISTS table_positions (
  project_id LowCardinality(String),
  table_digest String,
  position UInt32,
  row_digest String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, table_digest, position) SETTINGS index_granularity = 1024, ${durable}`

/** The content of rows. Tables with an equal row share it. */
const tableRows = sql`CREATE TABLE IF NOT EXISTS table_rows (
  project_id LowCardinality(String),
  digest String,
  val String CODEC(ZSTD(1)),
  size_bytes UInt64
) ENGINE = ReplacingMergeTree ORDER BY (project_id, digest) SETTINGS index_granularity = 512, ${durable}`

/** Feedback of people and scorers on calls and objects. `payload` is JSON; `size_bytes` is its size. */
const feedback = sql`CREATE TABLE IF NOT EXISTS feedback (
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

/** The name that a user gave a call. The one with the highest version counts; '' removes the name. */
const addGivenName = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS given_name SimpleAggregateFunction(max, Tuple(version UInt64, name String))`

/** All starts that a turn ever had; the earliest counts. Rows of `turns_by_start` with a later one are retracted. */
const addTurnStarts = sql`ALTER TABLE turns ADD COLUMN IF NOT EXISTS
  started_ats SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(6, 'UTC'))) DEFAULT [started_at]`

/**
 * The turns once more, by start, so that a window of time costs only what is in it. Merges are cheap, because parts written
 * one after the other hardly overlap. A row is one start of a turn and is retracted when the turn gets an earlier one.
 * Derived from `turns`.
 */
const turnsByStart = sql`CREATE TABLE IF NOT EXISTS turns_by_start (
  project_id LowCardinality(String),
  started_at DateTime64(6, 'UTC'),
  thread_id String,
  id String,
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  is_retracted SimpleAggregateFunction(max, UInt8)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, started_at, thread_id, id) SETTINGS index_granularity = 2048, ${durable}`

/**
 * `threads` once more, with a version that says how much the turns say instead of a time. The type of a version cannot be
 * altered, and the times are far above the new versions of short threads.
 */
const dropTimedThreads = sql`DROP TABLE IF EXISTS threads`
const countedThreads = sql`CREATE TABLE IF NOT EXISTS threads (
  project_id LowCardinality(String),
  thread_id String,
  turn_count UInt32,
  start_time DateTime64(6, 'UTC'),
  last_updated DateTime64(6, 'UTC'),
  first_turn_id String,
  last_turn_id Nullable(String),
  p50_turn_duration_ms Nullable(Float64),
  p99_turn_duration_ms Nullable(Float64),
  version UInt128
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, thread_id) SETTINGS index_granularity = 1024, ${durable}`

/**
 * Calls and threads that are set aside because nothing can be derived from them. The row with the highest revision counts.
 * `reason` has no user data. `derivation_version` says which version of the code failed.
 */
const quarantinedCalls = sql`CREATE TABLE IF NOT EXISTS quarantined_calls (
  project_id LowCardinality(String),
  kind LowCardinality(String),
  id String,
  reason String,
  first_failed_at DateTime64(6, 'UTC') DEFAULT now64(6),
  derivation_version UInt32,
  is_released UInt8,
  revision UInt32
) ENGINE = ReplacingMergeTree(revision) ORDER BY (project_id, kind, id) SETTINGS ${durable}`

/** When a call was deleted. No part that comes later brings it back. */
const addDeletedAt = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS deleted_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC')))`

/** The ids of deleted calls, narrow: what refers to calls leaves these out. Derived from `calls`. */
const deletedCalls = sql`CREATE TABLE IF NOT EXISTS deleted_calls (
  project_id LowCardinality(String),
  id String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, id) SETTINGS ${durable}`

const feedDeletedCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS deleted_calls_of_calls TO deleted_calls AS
SELECT project_id, id FROM calls WHERE calls.deleted_at IS NOT NULL`

/**
 * Messages of spans that came as log records. A message that is sent again is the same row; messages of the same time are in
 * the order of their request. `is_whole` is 1 for all of the inputs or output.
 */
const spanMessages = sql`CREATE TABLE IF NOT EXISTS span_messages (
  project_id LowCardinality(String),
  id String,
  side LowCardinality(String),
  time_ns UInt64,
  digest String,
  position SimpleAggregateFunction(min, UInt32),
  is_whole SimpleAggregateFunction(max, UInt8),
  json SimpleAggregateFunction(max, String) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree ORDER BY (project_id, id, side, time_ns, digest) SETTINGS index_granularity = 256, ${durable}`

/** Inputs and output made of a span's messages. Messages are only added, so the one made of the most counts. */
const addMessagePayloads = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS message_inputs SimpleAggregateFunction(max, Tuple(count UInt64, json String)) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS message_output SimpleAggregateFunction(max, Tuple(count UInt64, json String)) CODEC(ZSTD(1))`

/** What a project may spend in a month: `amount` is decimal text, '' for no budget. */
const budgets = sql`CREATE TABLE IF NOT EXISTS budgets (
  project_id LowCardinality(String),
  amount String,
  currency String,
  updated_at DateTime64(6, 'UTC'),
  updated_by String,
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY project_id SETTINGS ${durable}`

/**
 * What decides which spends a part of a call changes, and which of two derivations knew more. Each only grows: how many parts
 * there are, every trace and every start that one of them named, and whether one had a usage. Rows of older versions have
 * the values of their merged columns.
 */
const addSpendColumns = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS part_count SimpleAggregateFunction(sum, UInt64) DEFAULT 1,
  ADD COLUMN IF NOT EXISTS all_trace_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String))
    DEFAULT if(trace_id = '', [], [trace_id]) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS all_starts SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(6, 'UTC')))
    DEFAULT if(started_at IS NULL, [], [assumeNotNull(started_at)]),
  ADD COLUMN IF NOT EXISTS has_usage SimpleAggregateFunction(max, UInt8) DEFAULT position(summary, '"usage"') > 0,
  ADD INDEX IF NOT EXISTS by_insertion inserted_at TYPE minmax GRANULARITY 1`

/** The calls of each trace: all that ever named it. Derived from `calls`. */
const traceCalls = sql`CREATE TABLE IF NOT EXISTS trace_calls (
  project_id LowCardinality(String),
  trace_id String,
  id String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, trace_id, id) SETTINGS index_granularity = 1024, ${durable}`

const feedTraceCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS trace_calls_of_calls TO trace_calls AS
SELECT project_id, trace_id, id FROM calls WHERE calls.trace_id != ''`

/**
 * What each call spent itself, narrow and by time, without prices: those are applied when it is read. Derived from the whole
 * trace of a call. The row of a start that is not the first, or of a call that spent nothing, has `is_spent` 0. Most calls use
 * one model; for those that use several, `shares` has them as JSON, and the columns of one model are empty.
 */
const spentCalls = sql`CREATE TABLE IF NOT EXISTS spent_calls (
  project_id LowCardinality(String),
  started_at DateTime64(6, 'UTC') CODEC(Delta(8), LZ4),
  id String,
  is_spent UInt8,
  op_name LowCardinality(String),
  user_id String,
  thread_id String,
  provider LowCardinality(String),
  model LowCardinality(String),
  requests UInt64,
  prompt_tokens UInt64,
  completion_tokens UInt64,
  total_tokens UInt64,
  cache_read_input_tokens UInt64,
  cache_creation_input_tokens UInt64,
  input_audio_tokens UInt64,
  cache_read_audio_tokens UInt64,
  cache_write_1h_tokens UInt64,
  output_audio_tokens UInt64,
  reasoning_tokens UInt64,
  shares String CODEC(ZSTD(1)),
  version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, started_at, id) SETTINGS ${durable}`

/** Up to which `inserted_at` the spends of all calls are derived, in microseconds. */
const spentBefore = sql`CREATE TABLE IF NOT EXISTS spent_before (name String, watermark UInt64)
ENGINE = ReplacingMergeTree(watermark) ORDER BY name SETTINGS ${durable}`

/** When the turn started that a call is of: a window of threads is one of their turns. */
const addTurnOfSpend = sql`ALTER TABLE spent_calls
  ADD COLUMN IF NOT EXISTS turn_started_at DateTime64(6, 'UTC') DEFAULT started_at CODEC(Delta(8), LZ4),
  ADD INDEX IF NOT EXISTS by_thread thread_id TYPE bloom_filter(0.001) GRANULARITY 1`

/**
 * What threads are searched by: a row for each call of a thread, by time. `is_counted` is 0 for a start that is not the
 * call's first, and for a call that is deleted or of no thread any more. Derived from the whole trace of a call.
 */
const threadCalls = sql`CREATE TABLE IF NOT EXISTS thread_calls (
  project_id LowCardinality(String),
  started_at DateTime64(6, 'UTC') CODEC(Delta(8), LZ4),
  id String,
  is_counted UInt8,
  thread_id String,
  turn_started_at DateTime64(6, 'UTC') CODEC(Delta(8), LZ4),
  op_name LowCardinality(String),
  user_id String,
  has_failed UInt8,
  words Array(String) CODEC(ZSTD(1)),
  version UInt64,
  INDEX by_thread thread_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_word words TYPE text(tokenizer = 'array')
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, started_at, id) SETTINGS index_granularity = 1024, ${durable}`

/** The words of each project, to find those with a given beginning. */
const threadWords = sql`CREATE TABLE IF NOT EXISTS thread_words (
  project_id LowCardinality(String),
  word String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, word) SETTINGS ${durable}`

const feedThreadWords = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS thread_words_of_calls TO thread_words AS
SELECT DISTINCT project_id, arrayJoin(words) AS word FROM thread_calls`

/** As `spent_before`, for `thread_calls`. */
const searchedBefore = sql`CREATE TABLE IF NOT EXISTS searched_before (name String, watermark UInt64)
ENGINE = ReplacingMergeTree(watermark) ORDER BY name SETTINGS ${durable}`

/** The tables' history. Never edit the statements of a released step; add a step. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'calls, turns, threads, costs, queues', statements: [calls, turns, threads, costs, queues] },
  { number: 2, name: 'markers', statements: [markers] },
  { number: 3, name: 'spans', statements: [addSpanColumns, threadSpans] },
  {
    number: 4,
    name: 'reading calls',
    statements: [addCallUser, addCachePrices, callStarts, feedCallStarts],
    rebuilds: ['call_starts'],
  },
  {
    number: 5,
    name: 'objects, files, tables, feedback',
    statements: [objectVersions, fileChunks, tables, tablePositions, tableRows, feedback, addGivenName],
  },
  { number: 6, name: 'turns by their start', statements: [addTurnStarts, turnsByStart], rebuilds: ['turns_by_start'] },
  { number: 7, name: 'quarantined calls', statements: [quarantinedCalls] },
  { number: 8, name: 'versions of threads', statements: [dropTimedThreads, countedThreads], rebuilds: ['threads'] },
  { number: 9, name: 'deleted calls', statements: [addDeletedAt, deletedCalls, feedDeletedCalls] },
  { number: 10, name: 'messages of spans', statements: [spanMessages, addMessagePayloads] },
  { number: 11, name: 'budgets', statements: [budgets] },
  {
    number: 12,
    name: 'spends',
    statements: [addSpendColumns, traceCalls, feedTraceCalls, spentCalls, spentBefore],
    rebuilds: ['trace_calls', 'spent_calls', 'spent_before'],
  },
  {
    number: 13,
    name: 'searching threads',
    statements: [addTurnOfSpend, threadCalls, threadWords, feedThreadWords, searchedBefore],
    rebuilds: ['spent_calls', 'spent_before', 'thread_calls', 'thread_words', 'searched_before'],
  },
]
