import { formatInstant } from '../../contract/instant'
import type { CallRow } from '../ingest/call-row'
import type { Random } from './random'

/** A call below a turn, before it has an id and a time. */
export type SampleCall = {
  opName: string
  kind: 'llm' | 'tool' | 'retrieval'
  inputs: unknown
  output: unknown
  /** Without the time of its children. */
  durationMs: number
  tokens?: { model: string; prompt: number; cached?: number; completion: number }
  children?: readonly SampleCall[]
}

export type SampleTurn = {
  threadId: string
  startMicroseconds: bigint
  inputs: unknown
  output: unknown
  calls: readonly SampleCall[]
  outcome: Outcome
}

/** A running turn and its last call have no end. An exception is the turn's and its last call's. */
export type Outcome = 'success' | 'running' | { exception: string }

const microsecondsPerMs = 1000

/** Builds the calls of a turn: first the turn itself, then its calls one after the other, each followed by its children. */
export function buildSampleCalls(turn: SampleTurn, projectId: string, random: Random): CallRow[] {
  const turnId = random.uuid()
  const traceId = random.uuid()
  const common = { project_id: projectId, trace_id: traceId, thread_id: turn.threadId, turn_id: turnId }
  const attributes = {
    environment: 'production',
    release: '2026.11.2',
    channel: random.pick(['web', 'web', 'app', 'mail']),
    user: toCustomer(turn.threadId),
  }
  let clock = turn.startMicroseconds
  const advanceClock = (ms: number) => (clock += BigInt(Math.round(ms * microsecondsPerMs)))

  const build = (call: SampleCall, parentId: string, outcome: Outcome): CallRow[] => {
    const id = random.uuid()
    advanceClock(random.between(0.2, 4))
    const started = {
      ...common,
      id,
      parent_id: parentId,
      op_name: call.opName,
      attributes: { ...attributes, kind: call.kind },
      inputs: call.inputs,
      started_at: formatInstant(clock),
    }
    const children = (call.children ?? []).flatMap((child) => build(child, id, 'success'))
    advanceClock(call.durationMs)
    return [{ ...started, ...buildEnd(outcome, clock, call.output, [call]) }, ...children]
  }

  const started = {
    ...common,
    id: turnId,
    op_name: 'support_bot.answer',
    display_name: 'Answer the customer',
    attributes: { ...attributes, kind: 'agent' },
    inputs: turn.inputs,
    started_at: formatInstant(clock),
  }
  const isLast = (index: number) => index === turn.calls.length - 1
  const calls = turn.calls.flatMap((call, index) => build(call, turnId, isLast(index) ? turn.outcome : 'success'))
  advanceClock(random.between(0.5, 6))
  return [{ ...started, ...buildEnd(turn.outcome, clock, turn.output, turn.calls) }, ...calls]
}

const customerCount = 23

/** The customer of a thread: some have several. */
function toCustomer(threadId: string): string {
  const sum = Array.from(threadId).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return `customer-${String((sum % customerCount) + 1).padStart(3, '0')}`
}

/** The fields that a call gets when it ends; none while it is running. */
function buildEnd(outcome: Outcome, clock: bigint, output: unknown, calls: readonly SampleCall[]): Partial<CallRow> {
  if (outcome === 'running') return {}
  const exception = outcome === 'success' ? undefined : outcome.exception
  return {
    ended_at: formatInstant(clock),
    output: exception ? undefined : output,
    exception,
    summary: { usage: sumUsage(calls), status_counts: { success: exception ? 0 : 1, error: exception ? 1 : 0 } },
  }
}

/** As OpenAI counts: cached tokens are part of the prompt. */
type Usage = Record<
  string,
  {
    requests: number
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    prompt_tokens_details: { cached_tokens: number }
  }
>

/** Sums the usage by model, children included, as Weave's SDK does for every ancestor. */
function sumUsage(calls: readonly SampleCall[]): Usage {
  const usage: Usage = {}
  const add = ({ tokens, children = [] }: SampleCall) => {
    for (const child of children) add(child)
    if (!tokens) return
    const sum = (usage[tokens.model] ??= {
      requests: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 },
    })
    sum.requests += 1
    sum.prompt_tokens += tokens.prompt
    sum.completion_tokens += tokens.completion
    sum.total_tokens += tokens.prompt + tokens.completion
    sum.prompt_tokens_details.cached_tokens += tokens.cached ?? 0
  }
  for (const call of calls) add(call)
  return usage
}
