import { maxEndUserLength, maxProviderLength } from '../../contract/limits'
import { dateTime, identifier, joinSql, type Sql, sql, uint64 } from './sql'

// Calls merged from their parts, as subqueries with the columns of the wire. '' and NULL mean that no part has a value.
// `display_name` is the name that a user gave last, where there is one. Deleted calls are left out. The engine reads only the
// columns in use.

/** All calls of a project. Streams in the order of ids, so its memory does not grow with the project. */
export function allCalls(projectId: string): Sql {
  return sql`(
  SELECT project_id, id, op_name, trace_id, parent_id, thread_id, turn_id, is_span, is_conversation, started_at, ended_at,
    exception, attributes, ${payload(sql`calls.inputs`, sql`message_inputs`)} AS inputs,
    ${payload(sql`calls.output`, sql`message_output`)} AS output, summary, wb_user_id,
    ${displayName(sql`given_name`, sql`calls.display_name`)} AS display_name
  FROM calls FINAL
  WHERE project_id = ${projectId} AND deleted_at IS NULL
)`
}

/** The columns that are shown of calls, merged by `GROUP BY id`. */
const mergedColumns = {
  project_id: sql`any(calls.project_id)`,
  op_name: sql`max(calls.op_name)`,
  trace_id: sql`max(calls.trace_id)`,
  parent_id: sql`max(calls.parent_id)`,
  thread_id: sql`max(calls.thread_id)`,
  turn_id: sql`max(calls.turn_id)`,
  is_span: sql`max(calls.is_span)`,
  started_at: sql`min(calls.started_at)`,
  ended_at: sql`max(calls.ended_at)`,
  exception: sql`max(calls.exception)`,
  attributes: sql`max(calls.attributes)`,
  inputs: payload(sql`max(calls.inputs)`, sql`max(calls.message_inputs)`),
  output: payload(sql`max(calls.output)`, sql`max(calls.message_output)`),
  summary: sql`max(calls.summary)`,
  wb_user_id: sql`max(calls.wb_user_id)`,
  display_name: displayName(sql`max(calls.given_name)`, sql`max(calls.display_name)`),
}
export type MergedColumn = keyof typeof mergedColumns
const allMergedColumns = joinSql(toList(Object.keys(mergedColumns) as MergedColumn[], mergedColumns), ', ')

function toList(names: readonly MergedColumn[], columns: typeof mergedColumns): Sql[] {
  return names.map((name) => sql`${columns[name]} AS ${identifier(name)}`)
}

/**
 * The calls whose ids meet `idCondition`, a condition on `id`. Faster than `allCalls` where they are few. `more` are columns that
 * few need: the engine takes time for each column of a statement, even where it is not read.
 */
export function callsWhere(projectId: string, idCondition: Sql, more: readonly Sql[] = []): Sql {
  return sql`(
  SELECT id, max(calls.is_conversation) AS is_conversation, ${joinSql([allMergedColumns, ...more], ', ')}
  ${mergedCallsFrom(projectId, idCondition)} HAVING ${isShown}
)`
}

/**
 * `SELECT <list> FROM <callsWhere()> WHERE <condition> <order>` without a subquery, for statements that are run often: the engine
 * takes 2 ms less to prepare it. Without `is_conversation`.
 */
export function selectCallsWhere(
  projectId: string,
  idCondition: Sql,
  { list, condition, order = sql`` }: { list: Sql; condition: Sql; order?: Sql },
): Sql {
  return sql`WITH ${allMergedColumns}
  SELECT ${list}
  ${mergedCallsFrom(projectId, idCondition)} HAVING ${isShown} AND (${condition}) ${order}`
}

/** Times as the engine reads them, with both ends. */
export type TimeRange = { first: string; last: string }

/**
 * Columns of calls that are read by their ids. `more` may refer to `attributes` and `summary`. With `starts`, every start that a part
 * of these calls reports has to be in the range: with random ids, calls of an hour are then looked for where calls of that hour are,
 * and not in the whole table.
 */
export type CallsById = {
  ids: readonly string[]
  names: readonly MergedColumn[]
  more: readonly Sql[]
  starts?: TimeRange | undefined
}

/**
 * `id`, `is_deleted`, `has_rare_fields` and these columns, in no order. The engine prepares it in 2 to 3 ms less than a statement with
 * conditions and an order.
 */
export function selectCallsById(projectId: string, calls: CallsById): Sql {
  return selectById(projectId, calls, mergedColumns, sql`NOT (${isShown}) AS is_deleted`)
}

/** The same in less time, but true only of calls whose `has_rare_fields` is 0. */
export function selectCommonFieldsById(projectId: string, calls: CallsById): Sql {
  return selectById(projectId, calls, commonColumns, sql`0 AS is_deleted`)
}

/** The same columns of each part of these calls, not merged: the engine takes longer with a GROUP BY. */
export function selectCommonPartsById(projectId: string, { ids, names, starts }: Omit<CallsById, 'more'>): Sql {
  const columns = names.map((name) => (name === 'display_name' ? sql`NULL AS display_name` : identifier(name)))
  return sql`SELECT id, has_rare_fields, 0 AS is_deleted, ${joinSql(columns, ', ')}
  FROM calls WHERE project_id = ${projectId} AND ${isOneOf({ ids, starts })}`
}

const commonColumns: typeof mergedColumns = {
  ...mergedColumns,
  inputs: sql`max(calls.inputs)`,
  output: sql`max(calls.output)`,
  display_name: sql`NULL`,
}

function selectById(
  projectId: string,
  { ids, names, more, starts }: CallsById,
  columns: typeof mergedColumns,
  isDeleted: Sql,
): Sql {
  const hidden = (['attributes', 'summary'] as const).filter((name) => more.length > 0 && !names.includes(name))
  const list = joinSql(
    [sql`id`, sql`max(calls.has_rare_fields) AS has_rare_fields`, isDeleted, ...toList(names, columns), ...more],
    ', ',
  )
  const before = hidden.length > 0 ? sql`WITH ${joinSql(toList(hidden, columns), ', ')} ` : sql``
  return sql`${before}SELECT ${list} ${mergedCallsFrom(projectId, isOneOf({ ids, starts }))}`
}

/** A hint is for indexes alone. Parts of a call that report no start may be anywhere. */
function isOneOf({ ids, starts }: Pick<CallsById, 'ids' | 'starts'>): Sql {
  if (!starts) return sql`id IN ${ids}`
  const isWithin = sql`calls.started_at BETWEEN ${dateTime(starts.first)} AND ${dateTime(starts.last)}`
  return sql`id IN ${ids} AND indexHint(calls.started_at IS NULL OR ${isWithin})`
}

/** Parts are qualified, because the names alone are those of the merged columns. */
function mergedCallsFrom(projectId: string, idCondition: Sql): Sql {
  return sql`FROM calls
  WHERE calls.project_id = ${projectId} AND ${idCondition}
  GROUP BY id`
}

const isShown = sql`max(calls.deleted_at) IS NULL`

/**
 * A condition on the id of a call in another table: the project has not deleted the call. `among`, a subquery of the ids that
 * matter, keeps the engine from reading the ids of all deleted calls.
 */
export function isNotDeleted(callId: Sql, projectId: string, among?: Sql): Sql {
  const isAmong = among ? sql`AND id IN (${among})` : sql``
  return sql`${callId} NOT IN (SELECT id FROM deleted_calls WHERE project_id = ${projectId} ${isAmong})`
}

/** What the call itself has, else what its messages say that came as log records. */
function payload(own: Sql, messages: Sql): Sql {
  return sql`if(${own} = '', tupleElement(${messages}, 'json'), ${own})`
}

function displayName(given: Sql, sent: Sql): Sql {
  return sql`if(tupleElement(${given}, 1) > 0, nullIf(tupleElement(${given}, 2), ''), ${sent})`
}

/** NULL for '' and for what is no text: of an object or a number `JSONExtractString` gives the JSON. */
function textAttribute(name: Sql): Sql {
  return sql`if(JSONType(attributes, ${name}) = 'String', nullIf(JSONExtractString(attributes, ${name}), ''), NULL)`
}

/**
 * Under which names senders report whose model a call used; '' where none does. A longer name than a price can have is cut
 * to one character more, so that no price is for it and none of it is read but that.
 */
export const providerSql = sql`substringUTF8(coalesce(${textAttribute(sql`'provider'`)}, ${textAttribute(sql`'gen_ai.provider.name'`)},
  ${textAttribute(sql`'gen_ai.system'`)}, ''), 1, ${uint64(maxProviderLength + 1)})`

/**
 * The user of the application that a call is for; '' where it names none. Spans have what their convention says in `user`;
 * callers of Weave's SDKs set attributes as they like, so the names of OpenTelemetry and the usual ones are read.
 */
export const endUserSql = sql`if(position(attributes, 'user') = 0, '', substringUTF8(coalesce(
  nullIf(if(JSONType(attributes, 'user') = 'String', JSONExtractString(attributes, 'user'), ''), ''),
  nullIf(JSONExtractString(attributes, 'user.id'), ''), nullIf(JSONExtractString(attributes, 'user', 'id'), ''),
  nullIf(JSONExtractString(attributes, 'enduser.id'), ''), nullIf(JSONExtractString(attributes, 'enduser', 'id'), ''),
  nullIf(JSONExtractString(attributes, 'user_id'), ''), JSONExtractString(attributes, 'userId')),
  1, ${uint64(maxEndUserLength)}))`

/**
 * Which response a span with usage reports, and by which library; '' where it says neither. Real ones are much shorter than
 * what is read of them.
 */
export const responseIdSql = sql`if(is_span AND summary != '', substringUTF8(JSONExtractString(attributes, 'response_id'), 1, 256), '')`
export const spanLibrarySql = sql`if(is_span AND summary != '',
  substringUTF8(JSONExtractString(attributes, 'otel_span', 'scope', 'name'), 1, 256), '')`

/**
 * What a call with cached tokens says about the program that sent it: source, version, integration, its version and the counts
 * of calls; [] without cached tokens. The attributes may be large, and most calls have none.
 */
export const usageSenderSql = sql`if(position(summary, '"cache_') = 0, [], [
  JSONExtractString(attributes, 'weave', 'source'), JSONExtractString(attributes, 'weave', 'client_version'),
  JSONExtractString(attributes, 'integration', 'name'), JSONExtractString(attributes, 'integration', 'version'),
  JSONExtractRaw(summary, 'status_counts')])`

/** The display name, else the name of the op: the name within a reference to a version (`weave:///.../name:digest`). */
export const traceNameSql = sql`multiIf(notEmpty(ifNull(display_name, '')), assumeNotNull(display_name),
  match(op_name, '^weave(?:-trace-internal)?:///.*/[^/:]+:[^/]*$'), extract(op_name, '/([^/:]+):[^/]*$'), op_name)`
