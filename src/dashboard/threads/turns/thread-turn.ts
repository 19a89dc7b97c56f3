import { CallStatus } from '../../../contract/calls'
import { addDecimals, type Decimal, formatPlainDecimal, parsePlainDecimal, zero } from '../../../contract/decimal'
import { parseInstant } from '../../../contract/instant'
import { isJsonObject } from '../../../contract/json-value'
import type { ReceivedCall } from '../../../contract/received-call'
import { summarizeException } from '../../../contract/summarize-exception'
import type { Turn } from '../../../contract/turns'
import { formatOpName } from '../../format/op-name'

/** `message` is null where the exception says nothing. */
export type TurnFailure = { callId: string; callName: string; message: string | null }

export type Cost = { currency: string; total: string }

/** A turn as the thread view needs it, from whatever service. Null is unknown; `durationMs` is also null while it runs. */
export type ThreadTurn = {
  id: string
  traceId: string | null
  name: string | null
  firstWords: string | null
  startedAt: string | null
  /** Milliseconds since 1970 with the fraction that microseconds give. */
  startMs: number | null
  endMs: number | null
  durationMs: number | null
  status: CallStatus | null
  /** Why it failed, in one line: its own exception, or that of a call below it. */
  failure: TurnFailure | null
  /** [] where it used none, or none is known. */
  models: readonly string[]
  tokens: { prompt: number; completion: number } | null
  costs: readonly Cost[] | null
  unpricedCallCount: number
  callCount: number | null
}

export function fromTurn(turn: Turn): ThreadTurn {
  return {
    id: turn.id,
    traceId: turn.trace_id,
    name: turn.name,
    firstWords: turn.first_words,
    startedAt: turn.started_at,
    startMs: toMilliseconds(turn.started_at),
    endMs: toMilliseconds(turn.ended_at),
    durationMs: turn.duration_ms,
    status: turn.status,
    failure: turn.failure
      ? { callId: turn.failure.call_id, callName: turn.failure.call_name, message: turn.failure.message }
      : null,
    models: turn.models,
    tokens: { prompt: turn.prompt_tokens, completion: turn.completion_tokens },
    costs: turn.costs,
    unpricedCallCount: turn.unpriced_call_count,
    callCount: turn.call_count,
  }
}

/**
 * The turn of a call, where a service has no turns but calls. What the calls below it spent is not known, so there are no
 * tokens and costs.
 */
export function fromCall(call: ReceivedCall): ThreadTurn {
  const startMs = toMilliseconds(call.started_at)
  const endMs = toMilliseconds(call.ended_at)
  const ownStatus = call.exception !== null ? 'error' : endMs === null ? 'running' : 'success'
  const name = call.display_name ?? (call.op_name && formatOpName(call.op_name))
  return {
    id: call.id,
    traceId: call.trace_id,
    name,
    firstWords: null,
    startedAt: call.started_at,
    startMs,
    endMs,
    durationMs: startMs === null || endMs === null ? null : toExactDifference(startMs, endMs),
    status: readStatus(call.summary) ?? ownStatus,
    failure:
      call.exception === null
        ? null
        : { callId: call.id, callName: name ?? call.id, message: summarizeException(call.exception) },
    models: Object.keys(readObject(call.summary, 'usage')),
    tokens: null,
    costs: null,
    unpricedCallCount: 0,
    callCount: null,
  }
}

function readStatus(summary: unknown): CallStatus | null {
  return CallStatus.safeParse(readObject(summary, 'weave')['status']).data ?? null
}

/** What `summary` holds is up to the client that sent the call. */
function readObject(summary: unknown, name: string): Readonly<Record<string, unknown>> {
  const value = isJsonObject(summary) ? summary[name] : undefined
  return isJsonObject(value) ? value : {}
}

function toMilliseconds(instant: string | null): number | null {
  if (instant === null) return null
  const microseconds = parseInstant(instant)
  // Other services have years that the wire does not take; the browser reads these to the millisecond.
  return typeof microseconds === 'bigint' ? Number(microseconds) / 1000 : Date.parse(instant)
}

/** Whole microseconds: the difference of two fractions would have digits that nobody measured. */
function toExactDifference(startMs: number, endMs: number): number {
  return Math.max(0, Math.round((endMs - startMs) * 1000) / 1000)
}

/** By start, turns without one last; the same order as the service's. */
export function sortTurns(turns: readonly ThreadTurn[]): readonly ThreadTurn[] {
  return turns.toSorted(
    (left, right) =>
      (left.startMs ?? Infinity) - (right.startMs ?? Infinity) || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0),
  )
}

/** The sums of some turns; null where one of them is unknown. */
export function sumTurns(turns: readonly ThreadTurn[]): Pick<ThreadTurn, 'tokens' | 'costs' | 'unpricedCallCount'> {
  const totals = new Map<string, Decimal>()
  let tokens: ThreadTurn['tokens'] = { prompt: 0, completion: 0 }
  let areCostsKnown = true
  let unpricedCallCount = 0
  for (const turn of turns) {
    tokens =
      tokens && turn.tokens
        ? { prompt: tokens.prompt + turn.tokens.prompt, completion: tokens.completion + turn.tokens.completion }
        : null
    unpricedCallCount += turn.unpricedCallCount
    if (!turn.costs) areCostsKnown = false
    for (const { currency, total } of turn.costs ?? []) {
      totals.set(currency, addDecimals(totals.get(currency) ?? zero, parsePlainDecimal(total)))
    }
  }
  const costs = [...totals].map(([currency, total]) => ({ currency, total: formatPlainDecimal(total) }))
  return { tokens, costs: areCostsKnown ? costs : null, unpricedCallCount }
}
