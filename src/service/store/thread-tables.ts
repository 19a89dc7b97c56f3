import { sql } from './sql'
import { durable } from './durable'

// Turns and threads, derived from calls.

/**
 * The turns, narrow and by thread. Derived from `calls`. `is_retracted` never goes back to 0 and does not have to: a call
 * leaves a thread only for a higher thread id or turn id.
 */
export const turns = sql`CREATE TABLE IF NOT EXISTS turns (
  project_id LowCardinality(String),
  thread_id String,
  id String,
  started_at SimpleAggregateFunction(min, DateTime64(6, 'UTC')),
  ended_at SimpleAggregateFunction(max, Nullable(DateTime64(6, 'UTC'))),
  is_retracted SimpleAggregateFunction(max, UInt8),
  inserted_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) DEFAULT now64(6)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, thread_id, id) SETTINGS index_granularity = 512, ${durable}`

/** One row for each thread, so that a list of threads does not read all turns. Derived from `turns`. */
export const threads = sql`CREATE TABLE IF NOT EXISTS threads (
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

/**
 * The spans that have a thread, narrow and by trace. Whether a span of a conversation is a turn depends on its parents, which
 * may arrive long after it. Derived from `calls`.
 */
export const threadSpans = sql`CREATE TABLE IF NOT EXISTS thread_spans (
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

/** All starts that a turn ever had; the earliest counts. Rows of `turns_by_start` with a later one are retracted. */
export const addTurnStarts = sql`ALTER TABLE turns ADD COLUMN IF NOT EXISTS
  started_ats SimpleAggregateFunction(groupUniqArrayArray, Array(DateTime64(6, 'UTC'))) DEFAULT [started_at]`

/**
 * The turns once more, by start, so that a window of time costs only what is in it. Merges are cheap, because parts written
 * one after the other hardly overlap. A row is one start of a turn and is retracted when the turn gets an earlier one.
 * Derived from `turns`.
 */
export const turnsByStart = sql`CREATE TABLE IF NOT EXISTS turns_by_start (
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
export const dropTimedThreads = sql`DROP TABLE IF EXISTS threads`
export const countedThreads = sql`CREATE TABLE IF NOT EXISTS threads (
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
 * `threads` with smaller granules and compressed blocks, which the engine cannot alter. A page reads 50 threads whose ids are
 * scattered, and at each of them a granule and the blocks it is in: among 1.3 million threads in two parts 12 instead of
 * 29 ms. It takes 9 % more disk.
 */
export const threadsInSmallGranules = [
  sql`DROP TABLE IF EXISTS threads`,
  sql`CREATE TABLE IF NOT EXISTS threads (
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
) ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, thread_id)
SETTINGS index_granularity = 64, min_compress_block_size = 1024, max_compress_block_size = 4096, ${durable}`,
  sql`ALTER TABLE threads MODIFY SETTING old_parts_lifetime = 60`,
]
