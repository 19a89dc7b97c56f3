import { type Sql, sql } from './sql'
import { durable } from './durable'

// Calls, and what finds and hides them.

/**
 * A call as the merge of its parts. max() and min() give the same in whatever order parts arrive and however often. A value
 * that no part has set is NULL where '' has a meaning, and '' elsewhere. `thread_ids` and `turn_ids` keep the values of
 * all parts, so that a turn that moves to another thread can be retracted from the first; the highest value counts.
 * Granules are small because calls are read one by one, by scattered ids. A store that an older version made has granules of 1024
 * rows, which the engine does not change.
 */
export const calls = sql`CREATE TABLE IF NOT EXISTS calls (
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
SETTINGS index_granularity = 256, index_granularity_bytes = 262144, ${durable}`

/**
 * Columns for calls that come as OTLP spans. The lists keep the values of all parts, as `thread_ids` does. They are empty
 * for spans without a thread, because only spans with one are looked up in their trace.
 */
export const addSpanColumns = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS is_span SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS is_conversation SimpleAggregateFunction(max, UInt8),
  ADD COLUMN IF NOT EXISTS trace_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  ADD COLUMN IF NOT EXISTS parent_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String))`

/** The user who sent the start of a call. */
export const addCallUser = sql`ALTER TABLE calls ADD COLUMN IF NOT EXISTS wb_user_id SimpleAggregateFunction(max, String)`

/**
 * Keeps all columns of a part in one file, however large it is (a compact part). A page of calls reads nearly all columns of scattered rows: among
 * ten million calls 50 of them take half the time, because the engine otherwise opens a file for each column of each part. It
 * costs 6 to 9 % more disk, and a scan of all calls takes about a fifth more processor time. Parts change when they are merged.
 */
export const keepCallColumnsTogether = sql`ALTER TABLE calls
  MODIFY SETTING min_bytes_for_wide_part = 1000000000000, min_rows_for_wide_part = 1000000000000`

/**
 * The engine merges the parts of calls sooner than those of other tables (`mergeSettings` in open-engine.ts). Ids of spans are random,
 * so every part may have any id, and to find a call the engine looks into all parts. With fewer parts, 2000 new calls among ten
 * million are found in less than half the time. Inserts are about as fast. A server has this value by default.
 */
export const mergeCallsSooner = sql`ALTER TABLE calls MODIFY SETTING merge_selector_base = 5`

/**
 * An index of calls: one row for each start that a call ever had, narrow and by time, so that a page of the newest calls
 * reads one page, and calls of one thread are close to each other. Values may be outdated, because parts are not
 * merged here: check each id that is found against `calls`. Derived from `calls`.
 */
export const callStarts = sql`CREATE TABLE IF NOT EXISTS call_starts (
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

/** Calls of a trace are found in `trace_calls`, whose order is by trace. */
export const dropTraceIndex = sql`ALTER TABLE call_starts DROP INDEX IF EXISTS by_trace`

// A view, so that no code path that writes calls can forget the index. An insert is acknowledged when both are on disk.
export const feedCallStarts = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS call_starts_of_calls TO call_starts AS
SELECT project_id, assumeNotNull(started_at) AS started_at, id, trace_id, parent_id, thread_id, turn_id,
  op_name, is_span
FROM calls WHERE calls.started_at IS NOT NULL`

/** The name that a user gave a call. The one with the highest version counts; '' removes the name. */
export const addGivenName = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS given_name SimpleAggregateFunction(max, Tuple(version UInt64, name String))`

/**
 * Calls and threads that are set aside because nothing can be derived from them. The row with the highest revision counts.
 * `reason` has no user data. `derivation_version` says which version of the code failed.
 */
export const quarantinedCalls = sql`CREATE TABLE IF NOT EXISTS quarantined_calls (
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
export const addDeletedAt = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS deleted_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC')))`

/** The ids of deleted calls, narrow: what refers to calls leaves these out. Derived from `calls`. */
export const deletedCalls = sql`CREATE TABLE IF NOT EXISTS deleted_calls (
  project_id LowCardinality(String),
  id String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, id) SETTINGS ${durable}`

export const feedDeletedCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS deleted_calls_of_calls TO deleted_calls AS
SELECT project_id, id FROM calls WHERE calls.deleted_at IS NOT NULL`

/**
 * Messages of spans that came as log records. A message that is sent again is the same row; messages of the same time are in
 * the order of their request. `is_whole` is 1 for all of the inputs or output.
 */
export const spanMessages = sql`CREATE TABLE IF NOT EXISTS span_messages (
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
export const addMessagePayloads = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS message_inputs SimpleAggregateFunction(max, Tuple(count UInt64, json String)) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS message_output SimpleAggregateFunction(max, Tuple(count UInt64, json String)) CODEC(ZSTD(1))`

/**
 * Calls whose parts report different starts, traces or threads, which is rare: what a row of `call_starts` or `trace_calls` says of any
 * other call is true. Derived from `calls`, with the words of a trace; a call never leaves it.
 */
export const inconsistentCalls = sql`CREATE TABLE IF NOT EXISTS inconsistent_calls (
  project_id LowCardinality(String),
  id String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, id) SETTINGS ${durable}`

/** Calls that were derived before there was the table. Merging in the order of ids takes little memory. */
export const fillInconsistentCalls = sql`INSERT INTO inconsistent_calls (project_id, id)
SELECT project_id, id FROM calls FINAL WHERE length(all_starts) > 1 OR length(all_trace_ids) > 1 OR length(thread_ids) > 1`

/**
 * Whether a part of a call has what few calls have: a name of its own, messages that came as log records, a deletion. Only for such calls
 * the columns of these are read: each column takes time for every call of a page.
 */
export const addHasRareFields = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS has_rare_fields SimpleAggregateFunction(max, UInt8)
    DEFAULT display_name IS NOT NULL OR tupleElement(given_name, 'version') > 0 OR deleted_at IS NOT NULL
      OR tupleElement(message_inputs, 'count') > 0 OR tupleElement(message_output, 'count') > 0`

/**
 * For calls that are stored already: the engine works it out again at each read until then. In the background, 4 s for a million calls. It
 * writes the parts of `calls` anew, which need their space on the disk twice until a minute later.
 */
export const fillHasRareFields = sql`ALTER TABLE calls MATERIALIZE COLUMN has_rare_fields SETTINGS mutations_sync = 0, alter_sync = 0`

/**
 * How the columns of `calls` lie in the file of a part. By default each column of each granule is a compressed block of its own, and the
 * lengths of texts are apart from the texts. Here, neighbouring columns with the same codec share a block. Columns that are often read
 * without their neighbours have another codec: `id`, because a search for some calls reads the ids of a granule in every part, and
 * `attributes` and `summary`, from which spends are derived without the large `inputs` and `output`.
 *
 * Among ten million small calls in 13 parts, 50 of them are read in 13.5 instead of 17.3 ms. They take 1.1 instead of 1.8 GB.
 * Parts change when they are merged.
 */
export const shareBlocksOfCalls: readonly Sql[] = [
  sql`ALTER TABLE calls MODIFY SETTING compress_per_column_in_compact_parts = 0, write_marks_for_substreams_in_compact_parts = 0,
  string_serialization_version = 'single_stream', ratio_of_defaults_for_sparse_serialization = 1`,
  sql`ALTER TABLE calls MODIFY COLUMN id CODEC(LZ4HC(1)), MODIFY COLUMN attributes CODEC(ZSTD(2)), MODIFY COLUMN summary CODEC(ZSTD(2))`,
]

/**
 * The earliest and the latest start in each 64 granules. Ids may be random, but a part of the table has calls of one time: a statement
 * that knows the starts of its calls leaves out the other parts. It reads 51 of a hundred million calls from the disk in 26 instead of
 * 37 ms. Granules with a row without a start are never left out, so that such a row spoils the index for its 64 granules and not for
 * its whole part. Older parts of the table get the index when they are merged.
 */
export const addStartRange = sql`ALTER TABLE calls ADD INDEX IF NOT EXISTS start_range started_at TYPE minmax GRANULARITY 64`
