import type { Call, CallCost, CallStatus } from '../../contract/calls'
import { parseInstant } from '../../contract/instant'
import { fromEngineTime } from '../store/engine-time'
import type { ReadCallRow, Selection } from './call-row-schema'
import { isJsonObject } from '../../contract/json-value'

/** What the row does not say itself: the turn of a conversation's span, and costs where they were asked for. */
export type CallExtras = { isTurn: boolean; costs: Record<string, CallCost> | undefined }

/** A stored call as the wire has it, with the columns that were asked for. */
export function callOfRow(row: ReadCallRow, { columns, unkept }: Selection, extras: CallExtras): Call {
  const nullable = (text: string | undefined) => text || null
  const values = {
    id: row.id,
    project_id: row.project_id,
    op_name: row.op_name,
    display_name: row.display_name,
    trace_id: row.trace_id,
    parent_id: nullable(row.parent_id),
    thread_id: nullable(row.thread_id),
    turn_id: row.is_conversation ? (extras.isTurn ? row.id : null) : nullable(row.turn_id),
    started_at: fromEngineTime(row.started_at),
    ended_at: row.ended_at && fromEngineTime(row.ended_at),
    exception: row.exception,
    attributes: jsonOf(row.attributes) ?? {},
    inputs: jsonOf(row.inputs) ?? {},
    output: jsonOf(row.output),
    summary: columns.has('summary') ? summaryOf(row, extras.costs) : undefined,
    wb_user_id: nullable(row.wb_user_id),
    deleted_at: null,
  }
  const isAnswered = (name: string) => name === 'attributes' || name === 'inputs' || columns.has(name as keyof typeof values) // a key of that object
  const asked = Object.entries(values).filter(([name]) => isAnswered(name))
  // Of an object with these keys, in their order, only some were left out, all of them optional in a call.
  return Object.fromEntries([...asked, ...unkept.map((name) => [name, null] as const)]) as Call
}

/** JSON text as it was stored; null where nothing was said. */
function jsonOf(text: string | undefined): unknown {
  return text ? (JSON.parse(text) as unknown) : null
}

function summaryOf(row: ReadCallRow, costs: Record<string, CallCost> | undefined): Call['summary'] {
  const sent = jsonOf(row.summary)
  const own = isJsonObject(sent) ? sent : {}
  const { costs: _, ...ownWeave } = isJsonObject(own['weave']) ? own['weave'] : {}
  const weave = {
    ...ownWeave,
    status: statusOf(row, own),
    latency_ms: latencyMs(row),
    trace_name: traceName(row),
    ...(costs && Object.keys(costs).length > 0 ? { costs } : {}),
  }
  return { ...own, weave }
}

/** As the original judges: by the call itself, then by what its client counted of those below. */
function statusOf({ exception, ended_at: endedAt }: ReadCallRow, summary: Record<string, unknown>): CallStatus {
  if (exception !== null) return 'error'
  if (endedAt === null) return 'running'
  const counts = summary['status_counts']
  const errors = isJsonObject(counts) ? counts['error'] : undefined
  return typeof errors === 'number' && errors >= 1 ? 'descendant_error' : 'success'
}

function latencyMs({ started_at: start, ended_at: end }: ReadCallRow): number | null {
  if (end === null) return null
  const [from, to] = [parseInstant(fromEngineTime(start)), parseInstant(fromEngineTime(end))]
  if (typeof from === 'string' || typeof to === 'string') throw new Error(`The store gave a time that is none: ${start}, ${end}`)
  return to > from ? Number(to - from) / 1000 : 0
}

function traceName({ display_name: display, op_name: op }: ReadCallRow): string {
  return display || (/^weave(?:-trace-internal)?:\/\/\/.*\/([^/:]+):[^/]*$/s.exec(op)?.[1] ?? op)
}
