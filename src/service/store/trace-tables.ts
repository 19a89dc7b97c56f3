import { durable } from './durable'
import { type Sql, sql } from './sql'

// Which calls a trace has, and how they hang together. Derived from `calls`.

/** `trace_calls` with places. The engine of a table cannot be altered, so the one with ids alone is dropped. */
export const dropTraceCallView = sql`DROP VIEW IF EXISTS trace_calls_of_calls`
export const dropTraceCallIds = sql`DROP TABLE IF EXISTS trace_calls`

/**
 * The calls of each trace with what decides about their place in it: narrow and by trace, so that a trace is read in one
 * piece. A row is what the parts that name the trace say together; a call whose parts name several traces is in each of them.
 * Parts that name none, such as the end of a call that failed, are under the trace ''.
 */
export const placedTraceCalls = sql`CREATE TABLE IF NOT EXISTS trace_calls (
  project_id LowCardinality(String),
  trace_id String,
  id String,
  parent_id SimpleAggregateFunction(max, String),
  thread_id SimpleAggregateFunction(max, String),
  turn_id SimpleAggregateFunction(max, String),
  started_at SimpleAggregateFunction(min, Nullable(DateTime64(6, 'UTC'))),
  is_span SimpleAggregateFunction(max, UInt8),
  is_conversation SimpleAggregateFunction(max, UInt8),
  has_failed SimpleAggregateFunction(max, UInt8),
  is_deleted SimpleAggregateFunction(max, UInt8)
) ENGINE = AggregatingMergeTree ORDER BY (project_id, trace_id, id) SETTINGS index_granularity = 1024, ${durable}`

/**
 * As the columns of `calls` (`keepCallColumnsTogether`). Ids of traces are random, so every part may have calls of a trace, and the
 * engine opened a file for each column of each. Among ten million calls in eight parts the starts of a trace are read in 5 instead
 * of 9 ms, and in 8 instead of 17 where they are not in memory. It costs half a percent more disk.
 */
export const keepTraceColumnsTogether = sql`ALTER TABLE trace_calls
  MODIFY SETTING min_bytes_for_wide_part = 1000000000000, min_rows_for_wide_part = 1000000000000`

export const feedPlacedTraceCalls = sql`CREATE MATERIALIZED VIEW IF NOT EXISTS trace_calls_of_calls TO trace_calls AS
${selectTraceCalls(sql`trace_id`, sql`1`)}`

/** The rows of `trace_calls` that come from the rows of `calls` that meet `condition`. Most ends of calls say nothing of a place. */
export function selectTraceCalls(traceId: Sql, condition: Sql): Sql {
  return sql`SELECT project_id, ${traceId} AS trace_id, id, parent_id, thread_id, turn_id, calls.started_at AS started_at, is_span,
  is_conversation, toUInt8(exception IS NOT NULL) AS has_failed, toUInt8(deleted_at IS NOT NULL) AS is_deleted
FROM calls
WHERE (calls.trace_id != '' OR parent_id != '' OR thread_id != '' OR turn_id != '' OR calls.started_at IS NOT NULL
  OR exception IS NOT NULL OR deleted_at IS NOT NULL) AND ${condition}`
}
