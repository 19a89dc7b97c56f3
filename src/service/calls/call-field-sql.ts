import { parseCallField, type JsonColumn, plainCallFieldTypes, type PlainCallField } from '../../contract/call-fields'
import type { FieldSql } from '../store/compile-expression'
import { latencySql, statusSql, traceNameSql, turnIdSql } from '../store/merged-calls'

type Bind = (type: 'String', value: string) => string

const orNull = (column: string) => `nullIf(${column}, '')`

const sqlByField: Record<PlainCallField, string> = {
  id: 'id',
  project_id: 'project_id',
  op_name: 'op_name',
  display_name: 'display_name',
  trace_id: 'trace_id',
  parent_id: orNull('parent_id'),
  thread_id: orNull('thread_id'),
  turn_id: orNull(turnIdSql),
  started_at: 'started_at',
  ended_at: 'ended_at',
  exception: 'exception',
  wb_user_id: orNull('wb_user_id'),
  'summary.weave.status': statusSql,
  'summary.weave.latency_ms': latencySql,
  'summary.weave.trace_name': traceNameSql,
}

/** Where a field of a call is found among the columns of merged calls. Parts of paths enter by bound parameters only. */
export function callFieldSql(name: string, bind: Bind): FieldSql {
  const field = parseCallField(name)
  if (!field) throw new Error(`The schema let through a field that calls do not have: ${name}`)
  if ('name' in field) return { type: plainCallFieldTypes[field.name], sql: sqlByField[field.name] }
  return { type: 'json', sql: valueAt(field.column, field.path, bind) }
}

/** The raw JSON at a path, '' where there is nothing. A number in the path is a position in a list, a key in an object. */
function valueAt(column: JsonColumn, path: readonly string[], bind: Bind): string {
  return path.reduce<string>((json, part) => {
    const key = bind('String', part)
    if (!/^[0-9]{1,6}$/.test(part)) return `JSONExtractRaw(${json}, ${key})`
    // The engine counts positions from 1 and would take a position for the n-th member of an object.
    return `arrayElement(arrayMap(j -> if(startsWith(j, '['), JSONExtractRaw(j, ${Number(part) + 1}), JSONExtractRaw(j, ${key})), [${json}]), 1)`
  }, column)
}
