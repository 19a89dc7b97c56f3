import { isJsonObject } from '../../contract/json-value'
import type { CallStatus } from '../../contract/calls'
import { parseInstant } from '../../contract/instant'
import { JsonText } from '../lib/json-text'
import { splitJsonObject } from '../lib/scan-json'
import type { MergedCallRow } from './stored-call-row'

// Status, latency and trace name of a call that is returned. Filters and sorts have the same rules in SQL (`statusSql`,
// `latencyMsSql`, `traceNameSql`). For a page of calls the engine took 4 ms longer with these expressions. The status differs
// from its filter where a summary has an integer beyond 64 bits: the engine cannot read that JSON.

/** `statusCounts` is that of the summary. A failure below a span depends on its trace (span-turns.ts), and is not looked at. */
export function findStatus({ exception, ended_at: endedAt }: MergedCallRow, statusCounts: unknown): CallStatus {
  if (typeof exception === 'string') return 'error'
  if (typeof endedAt !== 'string') return 'running'
  return countErrors(statusCounts) >= 1 ? 'descendant_error' : 'success'
}

function countErrors(statusCounts: unknown): number {
  if (statusCounts instanceof JsonText) {
    const text = splitJsonObject(statusCounts.text)?.get('error') ?? ''
    return /^[\d-]/.test(text) ? Number(text) : 0
  }
  const errors = isJsonObject(statusCounts) ? statusCounts['error'] : undefined
  return typeof errors === 'number' ? errors : 0
}

/** Milliseconds with the fraction of microseconds, never below 0; null while the call runs. */
export function findLatencyMs({ started_at: startedAt, ended_at: endedAt }: MergedCallRow): number | null {
  if (typeof endedAt !== 'string') return null
  const microseconds = toMicroseconds(endedAt) - toMicroseconds(startedAt)
  return microseconds > 0n ? Number(microseconds) / 1000 : 0
}

/** Of a time of the store, which is always valid. */
function toMicroseconds(instant: string): bigint {
  const microseconds = parseInstant(instant)
  if (typeof microseconds === 'string') throw new Error(microseconds)
  return microseconds
}

const opReference = /^weave(?:-trace-internal)?:\/\/\/.*\/[^/:]+:[^/]*$/s
const opNameInReference = /\/([^/:]+):[^/]*$/

/** The display name, else the name of the op: the name within a reference to a version (`weave:///.../name:digest`). */
export function findTraceName({ display_name: displayName, op_name: opName }: MergedCallRow): string {
  if (displayName) return displayName
  return (opReference.test(opName) && opNameInReference.exec(opName)?.[1]) || opName
}
