// Calls as their parts make them up, as subqueries with the columns of the wire; '' and NULL still say "nobody has said so".
// `display_name` is the name given last, where one was given. The engine reads only the columns that are asked for.

const display = (given: string, own: string) =>
  `if(tupleElement(${given}, 1) > 0, nullIf(tupleElement(${given}, 2), ''), ${own}) AS display_name`

/** Every call of the project. Streams in the order of ids, so its memory does not grow with the project. */
export const everyCall = `(
  SELECT project_id, id, op_name, trace_id, parent_id, thread_id, turn_id, is_span, is_conversation, started_at, ended_at,
    exception, attributes, inputs, output, summary, wb_user_id, ${display('given_name', 'calls.display_name')}
  FROM calls FINAL
  WHERE project_id = {project_id:String}
)`

/** The calls whose ids satisfy `idCondition`, a condition on `id`. Quicker than the above where they are few. */
export function callsWhere(idCondition: string): string {
  return `(
  SELECT any(calls.project_id) AS project_id, id, max(calls.op_name) AS op_name, max(calls.trace_id) AS trace_id,
    max(calls.parent_id) AS parent_id, max(calls.thread_id) AS thread_id, max(calls.turn_id) AS turn_id,
    max(calls.is_span) AS is_span, max(calls.is_conversation) AS is_conversation, min(calls.started_at) AS started_at,
    max(calls.ended_at) AS ended_at, max(calls.exception) AS exception, max(calls.attributes) AS attributes,
    max(calls.inputs) AS inputs, max(calls.output) AS output, max(calls.summary) AS summary,
    max(calls.wb_user_id) AS wb_user_id, ${display('max(calls.given_name)', 'max(calls.display_name)')}
  FROM calls
  WHERE calls.project_id = {project_id:String} AND ${idCondition}
  GROUP BY id
)`
}

/** What a call of whichever family is a turn of; a conversation's span is one where `turns` says so. */
export const turnIdSql = `if(is_conversation = 1,
  if(id IN (SELECT id FROM turns FINAL WHERE project_id = {project_id:String} AND is_retracted = 0), id, ''), turn_id)`

export const statusSql = `multiIf(exception IS NOT NULL, 'error', ended_at IS NULL, 'running',
  JSONExtractInt(summary, 'status_counts', 'error') > 0, 'descendant_error', 'success')`

// Never below 0, like the durations of turns. greatest() would take NULL for 0 in newer versions.
export const latencySql = `if(ended_at IS NULL, NULL, greatest(toUnixTimestamp64Micro(assumeNotNull(ended_at))
  - toUnixTimestamp64Micro(assumeNotNull(started_at)), toInt64(0)) / 1000)`

/** The name given, else that of the op: of a reference to a version only the name in it. */
export const traceNameSql = `multiIf(notEmpty(ifNull(display_name, '')), assumeNotNull(display_name),
  match(op_name, '^weave(?:-trace-internal)?:///.*/[^/:]+:[^/]*$'), extract(op_name, '/([^/:]+):[^/]*$'), op_name)`
