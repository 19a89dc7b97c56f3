import { durable } from './durable'
import { type Sql, sql } from './sql'

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

/**
 * The models, ops and users of the calls of threads, each once, so that what somebody types in a filter is completed without
 * reading the calls. A value stays when its last call is deleted.
 */
export const filterValues = sql`CREATE TABLE IF NOT EXISTS filter_values (
  project_id LowCardinality(String),
  field LowCardinality(String),
  value String
) ENGINE = ReplacingMergeTree ORDER BY (project_id, field, value) SETTINGS ${durable}`

const valuesOfThreadCalls = sql`SELECT DISTINCT project_id, field_value.1 AS field, field_value.2 AS value
FROM (
  SELECT project_id, arrayJoin([('op_name', toString(op_name)), ('user', user_id)]) AS field_value
  FROM thread_calls WHERE is_counted = 1
)
WHERE value != ''`

const valuesOfSpentCalls = sql`SELECT DISTINCT project_id, 'model' AS field, model_name AS value
FROM (
  SELECT project_id, arrayJoin(if(shares = '', [toString(model)],
    arrayMap(share -> JSONExtractString(share, 'model'), JSONExtractArrayRaw(shares)))) AS model_name
  FROM spent_calls WHERE is_spent = 1 AND thread_id != ''
)
WHERE value != ''`

export const feedFilterValuesOfThreadCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_of_thread_calls TO filter_values AS
${valuesOfThreadCalls}`
export const feedFilterValuesOfSpentCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_of_spent_calls TO filter_values AS
${valuesOfSpentCalls}`

/** Rows that were derived before there was a view. */
export const fillFilterValues = [valuesOfThreadCalls, valuesOfSpentCalls].map(
  (values) => sql`INSERT INTO filter_values (project_id, field, value) ${values}`,
)

/**
 * An index of words finds the calls of a thread or a user with one lookup in each part. A bloom filter is asked for each granule, which
 * takes ten times as long in a project of ten times as many calls. Calls that are there already are indexed in the
 * background; until then they are read.
 */
export const findCallsOfThreads = [
  ...indexThreadIds(sql`call_starts`),
  ...indexThreadIds(sql`thread_calls`),
  sql`ALTER TABLE thread_calls ADD INDEX IF NOT EXISTS by_user_id user_id TYPE text(tokenizer = 'array')`,
  sql`ALTER TABLE thread_calls MATERIALIZE INDEX by_user_id`,
  sql`ALTER TABLE thread_calls ADD INDEX IF NOT EXISTS by_failure has_failed TYPE minmax GRANULARITY 16`,
  sql`ALTER TABLE thread_calls MATERIALIZE INDEX by_failure`,
]

function indexThreadIds(table: Sql): Sql[] {
  return [
    sql`ALTER TABLE ${table} ADD INDEX IF NOT EXISTS by_thread_id thread_id TYPE text(tokenizer = 'array')`,
    sql`ALTER TABLE ${table} MATERIALIZE INDEX by_thread_id`,
    sql`ALTER TABLE ${table} DROP INDEX IF EXISTS by_thread`,
  ]
}
