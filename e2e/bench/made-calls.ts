import { randomBytes } from 'node:crypto'

/** A call to be sent: of ten one is a turn, ten turns make a thread. */
export type MadeCall = { id: string; traceId: string; turnId: string; threadId: string; startMs: number }

const firstStart = Date.UTC(2026, 0, 1)
const calledText = JSON.stringify({ text: 'What was asked, with what was found for it. '.repeat(22) })

/** Makes calls one after the other; ids of another maker never meet them. */
export function createCallMaker(): () => MadeCall {
  const own = randomBytes(5).toString('hex')
  let count = 0
  return () => {
    const number = (count += 1) - 1
    const idOf = (index: number) => own + index.toString(16).padStart(6, '0')
    const turnId = idOf(number - (number % 10))
    return {
      id: idOf(number),
      turnId,
      traceId: turnId + turnId,
      threadId: `thread-${own}-${Math.floor(number / 100)}`,
      startMs: firstStart + number,
    }
  }
}

const instant = (ms: number) => new Date(ms).toISOString()

const startOf = (projectId: string, { id, traceId, turnId, threadId, startMs }: MadeCall) =>
  `"project_id":"${projectId}","id":"${id}","trace_id":"${traceId}","turn_id":"${turnId}","thread_id":"${threadId}",` +
  `"op_name":"answer","started_at":"${instant(startMs)}","attributes":{},"inputs":${calledText}` +
  (id === turnId ? '' : `,"parent_id":"${turnId}"`)
const endOf = ({ startMs }: MadeCall) => `"ended_at":"${instant(startMs + 1000)}","summary":{},"output":${calledText}`

export const startPart = (projectId: string, call: MadeCall) => `{"mode":"start","req":{"start":{${startOf(projectId, call)}}}}`
export const endPart = (projectId: string, call: MadeCall) =>
  `{"mode":"end","req":{"end":{"project_id":"${projectId}","id":"${call.id}",${endOf(call)}}}}`
export const wholeCall = (projectId: string, call: MadeCall) => `{${startOf(projectId, call)},${endOf(call)}}`
export const batchOf = (items: readonly string[]) => `{"batch":[${items.join(',')}]}`
