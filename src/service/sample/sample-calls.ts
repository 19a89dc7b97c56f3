import { formatInstant } from '../../contract/instant'
import type { CallRow } from '../ingest/call-row'
import type { Random } from './random'
import { type Tokens, usageOf } from './usage'

/** One step below a turn: its call, how long it takes, what it costs. */
export type SampleStep = {
  op: string
  kind: 'llm' | 'tool' | 'retrieval'
  inputs: unknown
  output: unknown
  durationMs: number
  tokens?: Tokens
  steps?: readonly SampleStep[]
}

/** What happens in one turn. `ending`: 'running' leaves the turn and its last step without an end. */
export type Turn = {
  threadId: string
  startMicroseconds: bigint
  inputs: unknown
  output: unknown
  steps: readonly SampleStep[]
  ending: 'done' | 'running' | { exception: string }
}

const microsecondsPerMs = 1000

/** The calls of a turn: the turn itself, then what it called, one after the other and nested as given. */
export function callsOfTurn(turn: Turn, projectId: string, random: Random): CallRow[] {
  const turnId = random.uuid()
  const traceId = random.uuid()
  const common = { project_id: projectId, trace_id: traceId, thread_id: turn.threadId, turn_id: turnId }
  const attributes = { environment: 'production', release: '2026.11.2', channel: random.pick(['web', 'web', 'app', 'mail']) }
  let clock = turn.startMicroseconds
  const pass = (ms: number) => (clock += BigInt(Math.round(ms * microsecondsPerMs)))

  const place = (step: SampleStep, parentId: string, isLast: boolean): CallRow[] => {
    const id = random.uuid()
    pass(random.between(0.2, 4))
    const startedAt = formatInstant(clock)
    const below = (step.steps ?? []).flatMap((each) => place(each, id, false))
    pass(step.durationMs)
    const isOpen = isLast && turn.ending === 'running'
    const exception = isLast && typeof turn.ending === 'object' ? turn.ending.exception : undefined
    const row: CallRow = {
      ...common,
      id,
      parent_id: parentId,
      op_name: step.op,
      attributes: { ...attributes, kind: step.kind },
      inputs: step.inputs,
      started_at: startedAt,
    }
    if (isOpen) return [row, ...below]
    return [
      {
        ...row,
        ended_at: formatInstant(clock),
        output: exception ? undefined : step.output,
        exception,
        summary: { usage: usageOf([step]), status_counts: { success: exception ? 0 : 1, error: exception ? 1 : 0 } },
      },
      ...below,
    ]
  }

  const startedAt = formatInstant(clock)
  const below = turn.steps.flatMap((step, index) => place(step, turnId, index === turn.steps.length - 1))
  pass(random.between(0.5, 6))
  const root: CallRow = {
    ...common,
    id: turnId,
    op_name: 'support_bot.answer',
    display_name: 'Answer the customer',
    attributes: { ...attributes, kind: 'agent' },
    inputs: turn.inputs,
    started_at: startedAt,
  }
  if (turn.ending === 'running') return [root, ...below]
  const exception = typeof turn.ending === 'object' ? turn.ending.exception : undefined
  return [
    {
      ...root,
      ended_at: formatInstant(clock),
      output: exception ? undefined : turn.output,
      exception,
      summary: { usage: usageOf(turn.steps), status_counts: { success: exception ? 0 : 1, error: exception ? 1 : 0 } },
    },
    ...below,
  ]
}
