import { durable } from './durable'
import { sql } from './sql'

// What threads are searched by, derived from whole traces.

/**
 * What threads are searched by: a row for each call of a thread, by time. `is_counted` is 0 for a start that is not the
 * call's first, and for a call that is deleted or of no thread any more. Derived from the whole trace of a call.
 */
export const threadCalls = sql`CREATE TABLE IF NOT EXISTS thread_calls (
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
export const threadWords = sql`CREATE TABLE IF NOT EXISTS thread_words (
  project_id LowCardinality(String),
  word String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, word) SETTINGS ${durable}`

export const feedThreadWords = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS thread_words_of_calls TO thread_words AS
SELECT DISTINCT project_id, arrayJoin(words) AS word FROM thread_calls`

/** As `spent_before`, for `thread_calls`. */
export const searchedBefore = sql`CREATE TABLE IF NOT EXISTS searched_before (name String, watermark UInt64)
ENGINE = ReplacingMergeTree(watermark) ORDER BY name SETTINGS ${durable}`
