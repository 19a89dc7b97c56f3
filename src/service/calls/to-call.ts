import { isJsonObject } from '../../contract/json-value'
import type { Call } from '../../contract/calls'
import { JsonText } from '../lib/json-text'
import type { MergedCallRow, Selection } from './call-rows'

/** A call as the wire has it, with the selected columns. `turnIds` are the spans of conversations that are turns. */
export function toCall(row: MergedCallRow, { columns, unstored }: Selection, turnIds: ReadonlySet<string>): Call {
  const values = {
    id: row.id,
    project_id: row.project_id,
    op_name: row.op_name,
    display_name: row.display_name,
    trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: row.is_conversation ? (turnIds.has(row.id) ? row.id : null) : row.turn_id,
    started_at: row.started_at,
    ended_at: row.ended_at,
    exception: row.exception,
    attributes: toJsonText(row.attributes) ?? {},
    inputs: toJsonText(row.inputs) ?? {},
    output: toJsonText(row.output),
    summary: columns.has('summary') ? toSummary(row) : undefined,
    wb_user_id: row.wb_user_id,
    deleted_at: null,
  }
  // Clients rely on `attributes` and `inputs` being objects.
  const isShown = (name: string) => name === 'attributes' || name === 'inputs' || columns.has(name as keyof typeof values) // a key of that object
  const shown = Object.entries(values).filter(([name]) => isShown(name))
  // Only optional columns are left out, so what remains is a call.
  return Object.fromEntries([...shown, ...unstored.map((name) => [name, null] as const)]) as Call
}

function toJsonText(text: string | undefined): JsonText | null {
  return text && text !== 'null' ? new JsonText(text) : null
}

/** What the client sent, with what the service adds under `weave`; costs come from `addCosts` alone. */
function toSummary({ summary, status, latency_ms, trace_name }: MergedCallRow): Record<string, unknown> {
  const sent = summary ? (JSON.parse(summary) as unknown) : null
  const own = isJsonObject(sent) ? sent : {}
  const { costs: _, ...ownWeave } = isJsonObject(own['weave']) ? own['weave'] : {}
  return { ...own, weave: { ...ownWeave, status, latency_ms, trace_name } }
}
