import { randomBytes } from 'node:crypto'

/** A call to send. One in ten is a turn; ten turns make a thread. */
export type GeneratedCall = { id: string; traceId: string; turnId: string; threadId: string; startMs: number; durationMs: number }

const firstStart = Date.UTC(2026, 0, 1)
const payload = JSON.stringify({ text: 'A question with the documents found for it. '.repeat(22) })

/** Creates calls one after the other. Two generators never create the same id. */
export function createCallGenerator(): () => GeneratedCall {
  const own = randomBytes(5).toString('hex')
  let count = 0
  return () => {
    const number = (count += 1) - 1
    const formatId = (index: number) => own + index.toString(16).padStart(6, '0')
    const turnId = formatId(number - (number % 10))
    return {
      id: formatId(number),
      turnId,
      traceId: turnId + turnId,
      threadId: `thread-${own}-${Math.floor(number / 100)}`,
      startMs: firstStart + number,
      durationMs: 200 + ((number * 7919) % 19_800),
    }
  }
}

const instant = (ms: number) => new Date(ms).toISOString()

const startFields = (projectId: string, { id, traceId, turnId, threadId, startMs }: GeneratedCall) =>
  `"project_id":"${projectId}","id":"${id}","trace_id":"${traceId}","turn_id":"${turnId}","thread_id":"${threadId}",` +
  `"op_name":"answer","started_at":"${instant(startMs)}","attributes":{},"inputs":${payload}` +
  (id === turnId ? '' : `,"parent_id":"${turnId}"`)
const endFields = ({ startMs, durationMs }: GeneratedCall) =>
  `"ended_at":"${instant(startMs + durationMs)}","summary":{},"output":${payload}`

export const formatStart = (projectId: string, call: GeneratedCall) =>
  `{"mode":"start","req":{"start":{${startFields(projectId, call)}}}}`
export const formatEnd = (projectId: string, call: GeneratedCall) =>
  `{"mode":"end","req":{"end":{"project_id":"${projectId}","id":"${call.id}",${endFields(call)}}}}`
export const formatCompleteCall = (projectId: string, call: GeneratedCall) =>
  `{${startFields(projectId, call)},${endFields(call)}}`
export const formatBatch = (items: readonly string[]) => `{"batch":[${items.join(',')}]}`
