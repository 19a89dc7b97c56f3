import { toStoredJson } from '../lib/stored-json'
import { TimeSlices } from '../lib/time-slices'
import { microsecondsToEngineTime, toEngineTime } from '../store/engine-time'

/** A part of a call, or a complete one. The parts of a call are merged; null and undefined change nothing. Times are wire instants. */
export type CallRow = {
  project_id: string
  id: string
  trace_id?: string | undefined
  parent_id?: string | undefined
  thread_id?: string | undefined
  turn_id?: string | undefined
  /** The call came as an OTLP span. */
  is_span?: boolean | undefined
  /** The span's thread is a conversation or session, so its place in the trace decides whether it is a turn. */
  is_conversation?: boolean | undefined
  op_name?: string | undefined
  /** The user who sent the start. */
  wb_user_id?: string | undefined
  display_name?: string | undefined
  /** A name given after the start. The highest version counts, in any order of arrival; '' removes the name. */
  given_name?: { version: number; name: string } | undefined
  exception?: string | undefined
  started_at?: string | undefined
  ended_at?: string | undefined
  /** Where any part has it, the call is deleted for good. */
  deleted_at?: string | undefined
  attributes?: unknown
  inputs?: unknown
  output?: unknown
  summary?: unknown
}

/** The row as a line of JSON, as it is inserted. */
export function toCallLine(row: CallRow): string {
  const threadId = toWellFormed(row.thread_id)
  const turnId = toWellFormed(row.turn_id)
  const traceId = toWellFormed(row.trace_id)
  const parentId = toWellFormed(row.parent_id)
  const isThreadSpan = row.is_span && Boolean(threadId)
  const line = {
    project_id: toWellFormed(row.project_id),
    id: toWellFormed(row.id),
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
    op_name: toWellFormed(row.op_name),
    wb_user_id: toWellFormed(row.wb_user_id),
    display_name: toWellFormed(row.display_name),
    given_name: row.given_name && { ...row.given_name, name: toWellFormed(row.given_name.name) },
    exception: toWellFormed(row.exception),
    started_at: row.started_at && toEngineTime(row.started_at),
    ended_at: row.ended_at && toEngineTime(row.ended_at),
    deleted_at: row.deleted_at && toEngineTime(row.deleted_at),
  }
  const payloads =
    toPayloadField('attributes', row.attributes) +
    toPayloadField('inputs', row.inputs) +
    toPayloadField('output', row.output) +
    toPayloadField('summary', row.summary)
  return `${JSON.stringify(line).slice(0, -1)}${payloads}}\n`
}

/**
 * Lines as one insert, with its time (microseconds since 1970) in front of their first field: they are made before it is
 * known. Others are served meanwhile, because a large group has 32 MiB.
 */
export async function joinCallLines(lines: readonly Uint8Array[], insertedAt: number): Promise<Uint8Array> {
  const slices = new TimeSlices()
  const head = Buffer.from(`{"inserted_at":"${microsecondsToEngineTime(insertedAt)}",`)
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + head.length - 1 + line.length, 0))
  let offset = 0
  for (const line of lines) {
    if (slices.isOver) await slices.next()
    // The last byte of the head takes the place of the line's brace.
    bytes.set(line, offset + head.length - 1)
    bytes.set(head, offset)
    offset += head.length - 1 + line.length
  }
  return bytes
}

/**
 * Payloads are stored as JSON text, which keeps even lone surrogates, as escapes. Objects and lists stand in the line as they
 * are, and the engine takes their bytes (`input_format_json_read_objects_as_strings`): as text within text each of their
 * quotes would be escaped here and read back there.
 */
function toPayloadField(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = toStoredJson(value)
  return `,"${name}":${typeof value === 'object' ? text : JSON.stringify(text)}`
}

/** UTF-8 cannot encode a lone surrogate, so it becomes U+FFFD. */
function toWellFormed(text: string | undefined): string | undefined {
  return text !== undefined && /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text
}
