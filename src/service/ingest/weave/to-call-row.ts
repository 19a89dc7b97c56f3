import type { CallEnd, CallStart, CompleteCall } from '../../../contract/call-writes'
import type { CallRow } from '../call-row'

/** A start without ids gets new ones. */
export function startToCallRow(start: CallStart, newId: () => string): CallRow & { trace_id: string } {
  return {
    project_id: start.project_id,
    id: start.id ?? newId(),
    trace_id: start.trace_id ?? newId(),
    parent_id: start.parent_id,
    thread_id: start.thread_id,
    turn_id: start.turn_id,
    op_name: start.op_name,
    display_name: start.display_name,
    started_at: start.started_at,
    attributes: start.attributes,
    inputs: start.inputs,
  }
}

export function endToCallRow(end: CallEnd): CallRow {
  return {
    project_id: end.project_id,
    id: end.id,
    ended_at: end.ended_at,
    // SDKs that rename a running call send the name with its end. A later rename has the time in milliseconds as its version.
    given_name: end.display_name === undefined ? undefined : { version: 1, name: end.display_name },
    exception: end.exception,
    output: end.output,
    summary: end.summary,
  }
}

export function completeCallToCallRow(call: CompleteCall): CallRow {
  // Not spread into a new object: a batch would take half as long again.
  const row: CallRow = startToCallRow(call, () => call.id)
  row.ended_at = call.ended_at
  row.exception = call.exception
  row.output = call.output
  row.summary = call.summary
  return row
}
