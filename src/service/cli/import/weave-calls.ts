import * as z from 'zod/mini'
import { CompleteCall, completeCalls } from '../../../contract/call-writes'
import { toProblems } from '../../../contract/to-problems'
import type { Chunk } from './chunks'
import { ImportError } from './import-error'
import { objectOf } from './line-value'
import type { Line } from './lines'
import { add, nothing, type Outcome, textOf } from './outcome'
import { sendInHalves } from './send-in-halves'
import type { Sender } from './sender'
import { isJsonObject } from '../../../contract/json-value'

type Call = { line: number; projectId: string; json: string }

/** Sends a chunk of calls as `/calls/stream_query` gives them, one a line. `project` overrides the project they are of. */
export async function importCalls(chunk: Chunk, sender: Sender, project: string | undefined): Promise<Outcome> {
  const { callsByProject, outcome } = readCalls(chunk.lines, project)
  for (const [projectId, calls] of callsByProject) {
    add(outcome, await sendInHalves(calls, (some) => sendCalls(some, projectId, sender)))
  }
  outcome.problems.sort((a, b) => a.line - b.line)
  return outcome
}

function readCalls(lines: readonly Line[], project: string | undefined) {
  const outcome = nothing()
  const callsByProject = new Map<string, Call[]>()
  for (const line of lines) {
    const call = readCall(line, project)
    if ('skip' in call) add(outcome, { ...nothing(), skipped: { [call.skip]: 1 } })
    else if ('msg' in call) outcome.problems.push({ line: line.number, msg: call.msg })
    else {
      const calls = callsByProject.get(call.projectId) ?? []
      calls.push(call)
      callsByProject.set(call.projectId, calls)
    }
  }
  return { callsByProject, outcome }
}

function readCall(line: Line, project: string | undefined): Call | { msg: string } | { skip: string } {
  const read = objectOf(line)
  if ('msg' in read) return read
  const call: Record<string, unknown> = { ...read.object, ...(project !== undefined && { project_id: project }) }
  if (typeof call['deleted_at'] === 'string') return { skip: 'calls that were deleted' }
  call['summary'] = withoutDerived(call['summary'])
  for (const column of ['attributes', 'inputs', 'summary']) call[column] = nullIfEmpty(call[column])
  // Judged by the service's own rules, so that what it would refuse is told by line before anything is sent.
  const parsed = z.safeParse(CompleteCall, call)
  if (!parsed.success) return { msg: textOf(toProblems(parsed.error.issues, call, [])) }
  return { line: line.number, projectId: parsed.data.project_id, json: JSON.stringify(call) }
}

/** `summary.weave` is computed by whoever answers; stored, it would be taken for something the client said. */
function withoutDerived(summary: unknown): unknown {
  if (!isJsonObject(summary) || !('weave' in summary)) return summary
  const { weave: _derived, ...rest } = summary
  return rest
}

/**
 * An export writes an empty object where a call has nothing, or the column was not asked for. It says nothing: kept as it is,
 * it could win over what the call's other parts say.
 */
function nullIfEmpty(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? null : value
}

async function sendCalls(calls: readonly Call[], projectId: string, sender: Sender): Promise<Outcome | undefined> {
  const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/calls/complete`
  const answer = await sender.post({ path, body: `{"batch":[${calls.map(({ json }) => json).join(',')}]}` })
  if (answer.kind === 'accepted') return outcomeOf(answer.value, calls)
  const problemsByCall = calls.map((_, index) =>
    answer.problems.filter(({ loc }) => loc[1] === 'batch' && loc[2] === String(index)),
  )
  if (problemsByCall.every((problems) => problems.length > 0)) {
    return { ...nothing(), problems: calls.map(({ line }, index) => ({ line, msg: textOf(problemsByCall[index] ?? [], 3) })) }
  }
  const [only] = calls
  return only && calls.length === 1 ? { ...nothing(), problems: [{ line: only.line, msg: textOf(answer.problems) }] } : undefined
}

function outcomeOf(value: unknown, calls: readonly Call[]): Outcome {
  const answer = z.safeParse(completeCalls.response, value)
  if (!answer.success)
    throw new ImportError('The service answered a batch of calls with something unknown: it is no Spool, or another version.')
  const problems = calls.flatMap(({ line }, index) => {
    const each = answer.data.res?.[index]
    return each && 'error' in each ? [{ line, msg: textOf([each.error], 3) }] : []
  })
  return { stored: calls.length - problems.length, problems, skipped: {} }
}
