import type * as z from 'zod/mini'
import type { CallsFilter, QueryCallStats } from '../../contract/call-queries'
import type { Operand, Query } from '../../contract/expression'
import { compileExpression } from '../store/compile-expression'
import type { QueryParams } from '../store/store'
import { callFieldSql } from './call-field-sql'

/** A condition with what it binds. */
export type Condition = { sql: string; params: QueryParams }

type Asked = Pick<z.output<typeof QueryCallStats>, 'filter' | 'query'>

const anyVersion = ':*'

const ofList: Record<Exclude<keyof CallsFilter, 'op_names' | 'trace_roots_only' | 'wb_run_ids'>, string> = {
  call_ids: 'id IN {call_ids:Array(String)}',
  trace_ids: 'trace_id IN {trace_ids:Array(String)}',
  parent_ids: 'parent_id IN {parent_ids:Array(String)}',
  // '' stands for no thread and no turn, which nobody can ask for by an id.
  thread_ids: `thread_id != '' AND thread_id IN {thread_ids:Array(String)}`,
  turn_ids: `if(is_conversation = 1,
    id IN {turn_ids:Array(String)} AND id IN (SELECT id FROM turns FINAL
      WHERE project_id = {project_id:String} AND is_retracted = 0 AND id IN {turn_ids:Array(String)}),
    turn_id != '' AND turn_id IN {turn_ids:Array(String)})`,
  wb_user_ids: `wb_user_id != '' AND wb_user_id IN {wb_user_ids:Array(String)}`,
  input_refs: refersTo('inputs', 'input_refs'),
  output_refs: refersTo('output', 'output_refs'),
}

/** Everything that was asked of calls, as a condition on the columns of merged calls. A call without a start is none yet. */
export function callConditions({ filter = {}, query }: Asked): Condition {
  const parts: Condition[] = [{ sql: 'started_at IS NOT NULL', params: {} }, ...ofFilter(filter)]
  if (query) parts.push(compileExpression(query, callFieldSql))
  return allOf(parts)
}

/** What of the filter is said of the columns of starts as well, and true of a call's own start as soon as of the call. */
export function opNamesCondition(names: readonly string[]): Condition {
  const versions = names.filter((name) => name.endsWith(anyVersion)).map((name) => name.slice(0, -1))
  return {
    sql: `(op_name IN {op_names:Array(String)} OR arrayExists(prefix -> startsWith(op_name, prefix), {op_prefixes:Array(String)}))`,
    params: { op_names: names.filter((name) => !name.endsWith(anyVersion)), op_prefixes: versions },
  }
}

/** Those of the conditions that every row must meet and that name only the start and the id, which `call_starts` knows. */
export function startConditions(query: Query | undefined): Condition | undefined {
  const operations = query ? ('$and' in query.$expr ? query.$expr.$and : [query.$expr]) : []
  const ofStart = operations.filter((operand) => fieldsOf(operand).every((field) => field === 'started_at' || field === 'id'))
  const useful = ofStart.filter((operand) => fieldsOf(operand).length > 0)
  return useful.length > 0 ? compileExpression({ $expr: { $and: useful } }, callFieldSql, 't') : undefined
}

export function allOf(parts: readonly Condition[]): Condition {
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(' AND '),
    params: Object.assign({}, ...parts.map(({ params }) => params)) as QueryParams, // Object.assign() of a spread is untyped
  }
}

function ofFilter(filter: CallsFilter): Condition[] {
  const lists = Object.entries(ofList).flatMap(([key, sql]): Condition[] => {
    const values = filter[key as keyof typeof ofList] // the keys of that very object
    if (!values?.length) return []
    // References are looked for as they stand in JSON text.
    const isRefs = key === 'input_refs' || key === 'output_refs'
    return [{ sql, params: { [key]: isRefs ? values.map((value) => JSON.stringify(value)) : values } }]
  })
  if (filter.op_names?.length) lists.push(opNamesCondition(filter.op_names))
  if (filter.trace_roots_only) lists.push({ sql: `parent_id = ''`, params: {} })
  return lists
}

/** A string of the JSON that is one of the references; a key is followed by a colon and does not count. */
function refersTo(column: string, param: string): string {
  return `hasAny(extractAll(concat(${column}, ','), '("weave(?:-trace-internal)?:///[^"]*")[,}\\\\]]'), {${param}:Array(String)})`
}

/** The fields an operand names. */
export function fieldsOf(operand: Operand): string[] {
  if ('$getField' in operand) return [operand.$getField]
  if ('$literal' in operand) return []
  if ('$convert' in operand) return fieldsOf(operand.$convert.input)
  if ('$contains' in operand) return [...fieldsOf(operand.$contains.input), ...fieldsOf(operand.$contains.substr)]
  if ('$in' in operand) return [...fieldsOf(operand.$in[0]), ...operand.$in[1].flatMap(fieldsOf)]
  return Object.values(operand).flat().flatMap(fieldsOf)
}
