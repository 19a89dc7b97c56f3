import { parseCallField, type JsonColumn, plainCallFieldTypes, type PlainCallField } from '../../contract/call-fields'
import type { FieldSql } from '../store/expression-values'
import { traceNameSql } from '../store/merged-calls'
import { identifier, joinSql, type Sql, sql } from '../store/sql'

/**
 * As W&B Weave does: by the call itself, then by the errors its client counted in the calls below. Spans count none; those that
 * are read get `descendant_error` by their trace (span-turns.ts), which a condition on all calls of a project cannot look at.
 */
export const statusSql = sql`multiIf(exception IS NOT NULL, 'error', ended_at IS NULL, 'running',
  toFloat64OrZero(JSONExtractRaw(summary, 'status_counts', 'error')) >= 1, 'descendant_error', 'success')`

/** Milliseconds with the fraction of microseconds. Never below 0, like the durations of turns. */
export const latencyMsSql = sql`if(ended_at IS NULL, NULL, greatest(toUnixTimestamp64Micro(assumeNotNull(ended_at))
  - toUnixTimestamp64Micro(assumeNotNull(started_at)), toInt64(0)) / 1000)`

const sqlByField: Record<Exclude<PlainCallField, 'turn_id'>, Sql> = {
  id: sql`id`,
  project_id: sql`project_id`,
  op_name: sql`op_name`,
  display_name: sql`display_name`,
  trace_id: sql`trace_id`,
  parent_id: sql`nullIf(parent_id, '')`,
  thread_id: sql`nullIf(thread_id, '')`,
  started_at: sql`started_at`,
  ended_at: sql`ended_at`,
  exception: sql`exception`,
  wb_user_id: sql`nullIf(wb_user_id, '')`,
  'summary.weave.status': statusSql,
  'summary.weave.latency_ms': latencyMsSql,
  'summary.weave.trace_name': traceNameSql,
}

/** The SQL of the raw JSON of fields that lead through a reference, by name. */
export type ExpandedFields = ReadonlyMap<string, Sql>

/** The SQL of a call's fields over the columns of merged calls. */
export function callFieldSql(projectId: string, expandedFields?: ExpandedFields): (name: string) => FieldSql {
  return (name) => {
    const expanded = expandedFields?.get(name)
    if (expanded) return { type: 'json', sql: expanded }
    const field = parseCallField(name)
    if (!field) throw new Error(`The schema accepted a field that calls do not have: ${name}`)
    if ('column' in field) return { type: 'json', sql: jsonAtPath(field.column, field.path) }
    return {
      type: plainCallFieldTypes[field.name],
      sql: field.name === 'turn_id' ? turnIdSql(projectId) : sqlByField[field.name],
    }
  }
}

/**
 * A span of a conversation is a turn of its own where the table `turns` has it; other calls name their turn. The spans below a
 * turn, which name none, are found by the filter `turn_ids`.
 */
function turnIdSql(projectId: string): Sql {
  return sql`nullIf(if(is_conversation = 1,
  if(id IN (SELECT id FROM turns FINAL WHERE project_id = ${projectId} AND is_retracted = 0), id, ''), turn_id), '')`
}

const positionPattern = /^[0-9]{1,6}$/

/** The raw JSON at a path, '' where there is none. A number in the path is a position in a list and a key in an object. */
export function jsonAtPath(column: JsonColumn, path: readonly string[]): Sql {
  const firstPosition = path.findIndex((key) => positionPattern.test(key))
  const keys = firstPosition < 0 ? path : path.slice(0, firstPosition)
  const json = keys.length > 0 ? jsonAtKeys(identifier(column), keys) : identifier(column)
  return firstPosition < 0 ? json : jsonAtPositions(json, path.slice(firstPosition))
}

function jsonAtKeys(json: Sql, keys: readonly string[]): Sql {
  return sql`JSONExtractRaw(${joinSql([json, ...keys.map((key) => sql`${key}`)], ', ')})`
}

/**
 * The engine counts positions from 1. In an object it would read the n-th member, so objects are read by key. The path is one
 * value and folded: written out, each part would be a lambda around all before it.
 */
function jsonAtPositions(json: Sql, path: readonly string[]): Sql {
  return sql`arrayFold((j, key) -> if(startsWith(j, '[') AND match(key, '^[0-9]{1,6}$'),
  JSONExtractRaw(j, toUInt64OrZero(key) + 1), JSONExtractRaw(j, key)), ${path}, ${json})`
}
