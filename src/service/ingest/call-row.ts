import { toEngineTime } from '../store/engine-time'

/** One part of a call, or a whole one: what it says; null and undefined say nothing. Times are instants of the wire. */
export type CallRow = {
  project_id: string
  id: string
  trace_id?: string | undefined
  parent_id?: string | undefined
  thread_id?: string | undefined
  turn_id?: string | undefined
  /** It came by OTLP. */
  is_span?: boolean | undefined
  /** The span's thread is a conversation or a session: whether it is a turn is decided by its place in the trace. */
  is_conversation?: boolean | undefined
  op_name?: string | undefined
  /** Who sent the start. */
  wb_user_id?: string | undefined
  display_name?: string | undefined
  /** A name given after the start: the highest version counts, whatever the order of arrival; '' takes it away. */
  given_name?: { version: number; name: string } | undefined
  exception?: string | undefined
  started_at?: string | undefined
  ended_at?: string | undefined
  attributes?: unknown
  inputs?: unknown
  output?: unknown
  summary?: unknown
}

/** The row as the one JSON line that is inserted. */
export function toCallLine(row: CallRow): Buffer {
  const threadId = wellFormed(row.thread_id)
  const turnId = wellFormed(row.turn_id)
  const traceId = wellFormed(row.trace_id)
  const parentId = wellFormed(row.parent_id)
  const isThreadSpan = row.is_span && Boolean(threadId)
  const line = {
    project_id: wellFormed(row.project_id),
    id: wellFormed(row.id),
    trace_id: traceId,
    trace_ids: isThreadSpan && traceId ? [traceId] : undefined,
    parent_id: parentId,
    parent_ids: isThreadSpan && parentId ? [parentId] : undefined,
    is_span: row.is_span ? 1 : undefined,
    is_conversation: row.is_conversation ? 1 : undefined,
    thread_id: threadId,
    thread_ids: threadId ? [threadId] : undefined,
    turn_id: turnId,
    turn_ids: turnId ? [turnId] : undefined,
    op_name: wellFormed(row.op_name),
    wb_user_id: wellFormed(row.wb_user_id),
    display_name: wellFormed(row.display_name),
    given_name: row.given_name && { ...row.given_name, name: wellFormed(row.given_name.name) },
    exception: wellFormed(row.exception),
    started_at: row.started_at && toEngineTime(row.started_at),
    ended_at: row.ended_at && toEngineTime(row.ended_at),
    attributes: jsonText(row.attributes),
    inputs: jsonText(row.inputs),
    output: jsonText(row.output),
    summary: jsonText(row.summary),
  }
  return Buffer.from(`${JSON.stringify(line)}\n`)
}

/** JSON as text keeps whatever was sent, lone surrogates too, as escapes. */
function jsonText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : JSON.stringify(value)
}

/** Text the engine can hold: a lone surrogate has no UTF-8 and becomes U+FFFD. */
function wellFormed(text: string | undefined): string | undefined {
  return text !== undefined && /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text
}
