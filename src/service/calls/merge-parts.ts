import { compareText } from '../../contract/compare-text'
import { toEngineTime } from '../store/engine-time'
import type { StoredCallRow } from './stored-call-row'

/** A row for each call, merged from its parts as the engine merges them. Those of one part stay as they are. */
export function mergeParts(parts: readonly StoredCallRow[]): StoredCallRow[] {
  const rowById = new Map<string, StoredCallRow>()
  for (const part of parts) {
    const row = rowById.get(part.id)
    rowById.set(part.id, row ? merge(row, part) : part)
  }
  return [...rowById.values()]
}

/** The first start, and of everything else the greatest value. A column that was not selected stays undefined. */
function merge(left: StoredCallRow, right: StoredCallRow): StoredCallRow {
  return {
    id: left.id,
    project_id: left.project_id,
    op_name: greatest(left.op_name, right.op_name),
    trace_id: greatest(left.trace_id, right.trace_id),
    parent_id: greatest(left.parent_id, right.parent_id),
    thread_id: greatest(left.thread_id, right.thread_id),
    turn_id: greatest(left.turn_id, right.turn_id),
    started_at: first(left.started_at, right.started_at),
    ended_at: last(left.ended_at, right.ended_at),
    exception: greatest(left.exception, right.exception),
    display_name: greatest(left.display_name, right.display_name),
    wb_user_id: greatest(left.wb_user_id, right.wb_user_id),
    attributes: greatest(left.attributes, right.attributes),
    inputs: greatest(left.inputs, right.inputs),
    output: greatest(left.output, right.output),
    summary: greatest(left.summary, right.summary),
    is_span: left.is_span === undefined ? undefined : left.is_span || right.is_span,
    is_deleted: left.is_deleted || right.is_deleted,
    has_rare_fields: left.has_rare_fields || right.has_rare_fields,
  }
}

/** A column of both parts, or of neither. */
function greatest<Value extends string | null | undefined>(left: Value, right: Value): Value {
  if (typeof left !== 'string' || left === right) return right
  return typeof right !== 'string' || compareText(left, right) > 0 ? left : right
}

function last<Value extends string | null | undefined>(left: Value, right: Value): Value {
  if (typeof left !== 'string') return right
  return typeof right !== 'string' || toEngineTime(left) > toEngineTime(right) ? left : right
}

function first(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return toEngineTime(left) < toEngineTime(right) ? left : right
}
