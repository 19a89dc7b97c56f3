import * as z from 'zod/mini'
import { CompleteCall, completeCalls } from '../../../contract/call-writes'
import { isJsonObject } from '../../../contract/json-value'
import { toProblems } from '../../../contract/to-problems'
import { groupByProject } from '../../lib/group-by-project'
import { formatProblems } from '../../../contract/price-files/format-problems'
import { type BatchResult, createResult } from './batch-result'
import { parseLine, sendLines, type Unsent } from './import-lines'
import type { Line } from './input-file'
import type { ServiceClient } from './service-client'

type Call = { line: number; projectId: string; json: string }

/** Sends calls, one a line, as `/calls/stream_query` returns them. `project` replaces the project that the calls name. */
export function sendCalls(lines: readonly Line[], client: ServiceClient, project: string | undefined): Promise<BatchResult> {
  return sendLines(lines, {
    parse: (line) => parseCall(line, project),
    group: (calls) => groupByProject(calls, ({ projectId }) => projectId).values(),
    send: (calls) => sendProjectCalls(calls, client),
  })
}

function parseCall(line: Line, project: string | undefined): Call | Unsent {
  const parsedLine = parseLine(line)
  if ('msg' in parsedLine) return parsedLine
  const call: Record<string, unknown> = { ...parsedLine.value, ...(project !== undefined && { project_id: project }) }
  if (typeof call['deleted_at'] === 'string') return { skipReason: 'deleted calls' }
  call['summary'] = removeDerived(call['summary'])
  for (const field of ['attributes', 'inputs', 'summary']) call[field] = emptyToNull(call[field])
  // Checked here by the service's own schema, so that each problem has its line and the rest of the batch is stored at once.
  const parsed = z.safeParse(CompleteCall, call)
  if (!parsed.success) return { msg: formatProblems(toProblems(parsed.error.issues, call, [])) }
  return { line: line.number, projectId: parsed.data.project_id, json: JSON.stringify(call) }
}

/** The service computes `summary.weave` for each response. If it were stored, it would count as something the client said. */
function removeDerived(summary: unknown): unknown {
  if (!isJsonObject(summary) || !('weave' in summary)) return summary
  const { weave: _derived, ...rest } = summary
  return rest
}

/**
 * An export has an empty object where a call has nothing, or where the column was not requested. Stored as it is, it could
 * replace a value that the call has already.
 */
function emptyToNull(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? null : value
}

/** The calls are of one project. */
async function sendProjectCalls(calls: readonly Call[], client: ServiceClient): Promise<BatchResult | undefined> {
  const [first] = calls
  if (!first) return createResult()
  const path = `/v2/${first.projectId.split('/').map(encodeURIComponent).join('/')}/calls/complete`
  const body = `{"batch":[${calls.map(({ json }) => json).join(',')}]}`
  const reply = await client.post({ path, body, response: completeCalls.response })
  if (reply.kind === 'accepted') return readCallResults(reply.value, calls)
  if (calls.length > 1) return undefined
  return createResult({ problems: [{ line: first.line, msg: formatProblems(reply.problems) }] })
}

function readCallResults({ res }: z.infer<typeof completeCalls.response>, calls: readonly Call[]): BatchResult {
  const problems = calls.flatMap(({ line }, index) => {
    const callResult = res?.[index]
    return callResult && 'error' in callResult ? [{ line, msg: formatProblems([callResult.error], 3) }] : []
  })
  return createResult({ stored: calls.length - problems.length, problems })
}
