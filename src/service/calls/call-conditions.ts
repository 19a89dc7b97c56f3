import type * as z from 'zod/mini'
import type { CallsFilter, CallSortKey, QueryCalls, QueryCallStats } from '../../contract/call-requests'
import type { Operand, Query } from '../../contract/expression'
import { compileExpression } from '../store/compile-expression'
import { joinSql, type Sql, sql } from '../store/sql'
import { callFieldSql, type ExpandedFields } from './call-field-sql'

export type CallConditions = Pick<z.output<typeof QueryCallStats>, 'project_id' | 'filter' | 'query'> & {
  expandedFields?: ExpandedFields | undefined
  /** A condition on the id of a span: its turn is one of `turn_ids` (span-turns.ts). Other calls name their turn. */
  spansOfTurns?: Sql | undefined
}
export type CallsQuery = CallConditions & Pick<z.output<typeof QueryCalls>, 'sort_by' | 'limit' | 'offset'>

type ListFilter = Exclude<keyof CallsFilter, 'op_names' | 'trace_roots_only' | 'wb_run_ids'>

const conditionByList: Record<ListFilter, (values: readonly string[], spansOfTurns: Sql) => Sql> = {
  call_ids: (ids) => sql`id IN ${ids}`,
  trace_ids: (ids) => sql`trace_id IN ${ids}`,
  parent_ids: (ids) => sql`parent_id IN ${ids}`,
  // '' stands for no thread and no turn, so asking for '' finds nothing.
  thread_ids: (ids) => sql`thread_id != '' AND thread_id IN ${ids}`,
  turn_ids: (ids, spansOfTurns) => sql`((is_span = 1 AND ${spansOfTurns})
    OR (turn_id != '' AND turn_id IN ${ids} AND NOT (is_conversation = 1 AND turn_id = id)))`,
  wb_user_ids: (ids) => sql`wb_user_id != '' AND wb_user_id IN ${ids}`,
  input_refs: (refs) => refersTo(sql`inputs`, refs),
  output_refs: (refs) => refersTo(sql`output`, refs),
}

/** Everything a query asks of a call, as a condition on the columns of merged calls. A call without a start is not complete. */
export function callConditions({ project_id: projectId, filter = {}, query, expandedFields, spansOfTurns }: CallConditions): Sql {
  const conditions = [sql`started_at IS NOT NULL`, ...filterConditions(filter, spansOfTurns ?? sql`0`)]
  if (query) conditions.push(compileExpression(query, callFieldSql(projectId, expandedFields)))
  return allOf(conditions)
}

/** Whether the calls of a query, or their order, depend on which calls are turns. */
export function dependsOnTurns({
  filter,
  query,
  sort_by: sortBy = [],
}: Omit<CallConditions, 'project_id'> & { sort_by?: readonly CallSortKey[] | undefined }): boolean {
  return (
    Boolean(filter?.turn_ids?.length) ||
    sortBy.some(({ field }) => field === 'turn_id') ||
    (query !== undefined && fieldsIn(query.$expr).includes('turn_id'))
  )
}

/** A condition on the name of the op, for merged calls and for `call_starts`; a call meets it as soon as its own start does. */
export function opNamesCondition(names: readonly string[]): Sql {
  const anyVersion = ':*'
  const unversioned = names.filter((name) => name.endsWith(anyVersion)).map((name) => name.slice(0, -anyVersion.length))
  const exact = names.filter((name) => !name.endsWith(anyVersion))
  if (unversioned.length === 0) return sql`op_name IN ${exact}`
  // What stands before each colon is looked up in the list. To look for each prefix takes 3 GB for 5000 of them.
  const startsWithOne = sql`arrayExists(colons -> substringIndex(op_name, ':', colons) IN ${unversioned},
    range(1, toInt64(countSubstrings(op_name, ':')) + 1))`
  return sql`(op_name IN ${exact} OR ${startsWithOne})`
}

/** The conditions of a query that every call must meet and that name only `started_at` and `id`, which `call_starts` has. */
export function startConditions(query: Query | undefined, projectId: string): Sql | undefined {
  const operations = query ? ('$and' in query.$expr ? query.$expr.$and : [query.$expr]) : []
  const ofStart = operations.filter(isOfStart)
  return ofStart.length > 0 ? compileExpression({ $expr: { $and: ofStart } }, callFieldSql(projectId)) : undefined
}

/** Whether an operand names nothing but `started_at` and `id`. */
export function isOfStart(operand: Operand): boolean {
  const fields = fieldsIn(operand)
  return fields.length > 0 && fields.every((field) => field === 'started_at' || field === 'id')
}

export function allOf(conditions: readonly Sql[]): Sql {
  return joinSql(
    conditions.map((condition) => sql`(${condition})`),
    ' AND ',
    sql`1`,
  )
}

function filterConditions(filter: CallsFilter, spansOfTurns: Sql): Sql[] {
  const conditions = Object.entries(conditionByList).flatMap(([key, toCondition]) => {
    const values = filter[key as ListFilter] // the keys of that very object
    return values?.length ? [toCondition(values, spansOfTurns)] : []
  })
  if (filter.op_names?.length) conditions.push(opNamesCondition(filter.op_names))
  if (filter.trace_roots_only) conditions.push(sql`parent_id = ''`)
  return conditions
}

/** Whether the JSON of a column has one of the references as a string value. A key is followed by a colon and does not count. */
function refersTo(column: Sql, refs: readonly string[]): Sql {
  const jsonStrings = refs.map((ref) => JSON.stringify(ref))
  // hasAny() compares each reference with each of the list: 15 s for 300,000 calls and 5000 references, this 0.2 s.
  return sql`arrayExists(ref -> ref IN ${jsonStrings},
    extractAll(concat(${column}, ','), '("weave(?:-trace-internal)?:///[^"]*")[,}\\\\]]'))`
}

/** The fields that an operand names. */
export function fieldsIn(operand: Operand): string[] {
  if ('$getField' in operand) return [operand.$getField]
  if ('$literal' in operand) return []
  if ('$convert' in operand) return fieldsIn(operand.$convert.input)
  if ('$contains' in operand) return [...fieldsIn(operand.$contains.input), ...fieldsIn(operand.$contains.substr)]
  if ('$in' in operand) return [...fieldsIn(operand.$in[0]), ...operand.$in[1].flatMap(fieldsIn)]
  return Object.values(operand).flat().flatMap(fieldsIn)
}
