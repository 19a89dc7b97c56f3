import { isJsonObject } from '../../contract/json-value'
import type { Call } from '../../contract/calls'
import { maxUsageLength } from '../../contract/limits'
import { JsonText } from '../lib/json-text'
import { splitJsonObject } from '../lib/scan-json'
import { findLatencyMs, findStatus, findTraceName } from './calculated-fields'
import type { Selection } from './call-rows'
import type { MergedCallRow } from './stored-call-row'
import type { SpanPlace } from './span-turns'

/** A call as the wire has it, with the selected columns. `place` is what its trace says of a span. */
export function toCall(row: MergedCallRow, { columns, unstored }: Selection, place: SpanPlace | undefined): Call {
  const values = {
    id: row.id,
    project_id: row.project_id,
    op_name: row.op_name,
    display_name: row.display_name,
    trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: place ? place.turnId : row.turn_id,
    started_at: row.started_at,
    ended_at: row.ended_at,
    exception: row.exception,
    attributes: toJsonText(row.attributes) ?? {},
    inputs: toJsonText(row.inputs) ?? {},
    output: toJsonText(row.output),
    summary: columns.has('summary') ? toSummary(row, place) : undefined,
    wb_user_id: row.wb_user_id,
    deleted_at: null,
  }
  const call: Record<string, unknown> = {}
  // Clients rely on `attributes` and `inputs` being objects.
  for (const name of Object.keys(values) as (keyof typeof values)[]) {
    if (name === 'attributes' || name === 'inputs' || columns.has(name)) call[name] = values[name]
  }
  for (const name of unstored) call[name] = null
  // Only optional columns are left out, so what remains is a call.
  return call as Call
}

function toJsonText(text: string | undefined): JsonText | null {
  return text && text !== 'null' ? new JsonText(text) : null
}

/** Parsed in a millisecond. Of longer summaries only the usage is parsed, which has a limit of its own. */
const maxParsedSummary = 65_536

/** What the client sent, with what the service adds under `weave`; costs come from `addCosts` alone. */
function toSummary(row: MergedCallRow, place: SpanPlace | undefined): Record<string, unknown> {
  const own = readSummary(row.summary ?? '')
  const ownStatus = findStatus(row, own['status_counts'])
  const status = ownStatus === 'success' && place?.isAboveFailure ? 'descendant_error' : ownStatus
  const { costs: _, ...ownWeave } = isJsonObject(own['weave']) ? own['weave'] : {}
  return { ...own, weave: { ...ownWeave, status, latency_ms: findLatencyMs(row), trace_name: findTraceName(row) } }
}

function readSummary(text: string): Readonly<Record<string, unknown>> {
  if (text.length <= maxParsedSummary) {
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return isJsonObject(parsed) ? parsed : {}
  }
  const entries = [...(splitJsonObject(text) ?? [])].map(([key, value]): [string, unknown] => {
    if (key === 'weave') return [key, toJsonTexts(value)]
    return [key, key === 'usage' && value.length <= maxUsageLength ? JSON.parse(value) : new JsonText(value)]
  })
  return Object.fromEntries(entries)
}

function toJsonTexts(text: string): Record<string, JsonText> {
  return Object.fromEntries([...(splitJsonObject(text) ?? [])].map(([key, value]) => [key, new JsonText(value)]))
}
