import { parseCallField, type JsonColumn, plainCallFieldTypes, type PlainCallField } from '../../contract/call-fields'
import type { FieldSql } from '../store/compile-expression'
import { latencyMsSql, statusSql, traceNameSql, turnIdSql } from '../store/merged-calls'
import { identifier, type Sql, sql, uint64 } from '../store/sql'

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

/** The SQL of a call's fields over the columns of merged calls. */
export function callFieldSql(projectId: string): (name: string) => FieldSql {
  return (name) => {
    const field = parseCallField(name)
    if (!field) throw new Error(`The schema accepted a field that calls do not have: ${name}`)
    if ('column' in field) return { type: 'json', sql: jsonAtPath(field.column, field.path) }
    const column = field.name === 'turn_id' ? sql`nullIf(${turnIdSql(projectId)}, '')` : sqlByField[field.name]
    return { type: plainCallFieldTypes[field.name], sql: column }
  }
}

/** The raw JSON at a path, '' where there is none. A number in the path is a position in a list and a key in an object. */
function jsonAtPath(column: JsonColumn, path: readonly string[]): Sql {
  return path.reduce<Sql>((json, key) => {
    if (!/^[0-9]{1,6}$/.test(key)) return sql`JSONExtractRaw(${json}, ${key})`
    // The engine counts positions from 1. In an object it would read the n-th member, so objects are read by key.
    const position = uint64(Number(key) + 1)
    return sql`arrayElement(arrayMap(j -> if(startsWith(j, '['), JSONExtractRaw(j, ${position}), JSONExtractRaw(j, ${key})), [${json}]), 1)`
  }, identifier(column))
}
