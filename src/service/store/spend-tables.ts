import { joinSql, type Sql, sql } from './sql'
import { durable } from './durable'

// What calls spent themselves, derived from whole traces.

/**
 * What decides which spends a part of a call changes, and which of two derivations knew more. Each only grows: how many parts
 * there are, every trace and every start that one of them named, and whether one had a usage. Rows of older versions have
 * the values of their merged columns.
 */
export const addSpendColumns = sql`ALTER TABLE calls
  ADD COLUMN IF NOT EXISTS part_count SimpleAggregateFunction(sum, UInt64) DEFAULT 1,
  ADD COLUMN IF NOT EXISTS all_trace_ids SimpleAggregateFunction(groupUniqArrayArray, Array(String))
    DEFAULT if(trace_id = '', [], [trace_id]) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS all_starts SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(6, 'UTC')))
    DEFAULT if(started_at IS NULL, [], [assumeNotNull(started_at)]),
  ADD COLUMN IF NOT EXISTS has_usage SimpleAggregateFunction(max, UInt8) DEFAULT position(summary, '"usage"') > 0,
  ADD INDEX IF NOT EXISTS by_insertion inserted_at TYPE minmax GRANULARITY 1`

/** The calls of each trace: all that ever named it. Derived from `calls`. */
export const traceCalls = sql`CREATE TABLE IF NOT EXISTS trace_calls (
  project_id LowCardinality(String),
  trace_id String,
  id String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, trace_id, id) SETTINGS index_granularity = 1024, ${durable}`

export const feedTraceCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS trace_calls_of_calls TO trace_calls AS
SELECT project_id, trace_id, id FROM calls WHERE calls.trace_id != ''`

/**
 * What each call spent itself, narrow and by time, without prices: those are applied when it is read. Derived from the whole
 * trace of a call. The row of a start that is not the first, or of a call that spent nothing, has `is_spent` 0. Most calls use
 * one model; for those that use several, `shares` has them as JSON, and the columns of one model are empty.
 */
export const spentCalls = sql`CREATE TABLE IF NOT EXISTS spent_calls (
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
export const spentBefore = sql`CREATE TABLE IF NOT EXISTS spent_before (name String, watermark UInt64)
ENGINE = ReplacingMergeTree(watermark) ORDER BY name SETTINGS ${durable}`

/**
 * Calls that a table is derived from once more, of each project: those with an `inserted_at` from `watermark` on and before `until`, in
 * microseconds. `watermark_table` is the one that says up to where that table is derived.
 */
export const secondPasses = sql`CREATE TABLE IF NOT EXISTS second_passes (
  watermark_table LowCardinality(String),
  project_id LowCardinality(String),
  watermark UInt64,
  until UInt64
) ENGINE = ReplacingMergeTree(watermark) ORDER BY (watermark_table, project_id) SETTINGS ${durable}`

/** All calls that are stored now. */
export const fillSecondPasses = sql`INSERT INTO second_passes (watermark_table, project_id, watermark, until)
SELECT arrayJoin(['spent_before', 'searched_before']), project_id, 0, toUnixTimestamp64Micro(max(inserted_at)) + 1
FROM calls GROUP BY project_id`

/** When the turn started that a call is of: a window of threads is one of their turns. */
export const addTurnOfSpend = sql`ALTER TABLE spent_calls
  ADD COLUMN IF NOT EXISTS turn_started_at DateTime64(6, 'UTC') DEFAULT started_at CODEC(Delta(8), LZ4),
  ADD INDEX IF NOT EXISTS by_thread thread_id TYPE bloom_filter(0.001) GRANULARITY 1`

/**
 * What a thread spent on a model, as the maximum that can be charged: tokens that are read from a cache, all others of the input,
 * those of the output, and requests. Parts of a usage may overlap, and each token is charged once.
 */
export const maxCharged = {
  cacheRead: sql`sum(toFloat64(cache_read_input_tokens))`,
  input: sql`sum(greatest(
    toFloat64(prompt_tokens) - toFloat64(cache_read_input_tokens) + toFloat64(cache_read_audio_tokens),
    toFloat64(cache_creation_input_tokens) + toFloat64(cache_write_1h_tokens) + toFloat64(input_audio_tokens)
      + toFloat64(cache_read_audio_tokens)))`,
  output: sql`sum(greatest(toFloat64(completion_tokens), toFloat64(reasoning_tokens) + toFloat64(output_audio_tokens)))`,
  requests: sql`sum(toFloat64(greatest(requests, 1)))`,
} as const satisfies Record<string, Sql>

export const firstStart = sql`min(started_at)`

/**
 * Some text where any of the calls used several models: its usage is in `shares`. No comparison with '': for that the engine
 * reads the sizes of the texts, and not these sums.
 */
export const anyShares = sql`max(left(shares, 1))`

/**
 * The sums of the calls of each thread, so that a search by cost reads a row for each model of a thread. Rows that are
 * outdated count until they are merged, so they are upper bounds. The engine keeps them with each part; parts that it has
 * already are completed in the background, and are read whole until then.
 */
export const sumSpendsByThread = [
  sql`ALTER TABLE spent_calls MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild'`,
  sql`ALTER TABLE spent_calls ADD PROJECTION IF NOT EXISTS by_thread (
  SELECT project_id, thread_id, model, provider, ${firstStart}, ${anyShares}, ${joinSql(Object.values(maxCharged), ', ')}
  GROUP BY project_id, thread_id, model, provider
)`,
  sql`ALTER TABLE spent_calls MATERIALIZE PROJECTION by_thread`,
]
