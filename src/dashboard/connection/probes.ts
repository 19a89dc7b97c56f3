import { receiveCosts } from '../../contract/received-costs'
import { receiveThreads } from '../../contract/received-threads'
import { streamQueues } from '../../contract/queues'
import type { Connection } from '../client/connection'
import { type CheckedResponse, checkCosts, checkLines } from './check-response'
import { probeCreateQueue } from './probe-create-queue'
import { callOperation } from './send-probe'

/** `exists`: it was not called, because a call would change something. `untold`: only a call could tell. */
export type Finding = CheckedResponse | 'exists' | 'untold'

export type Probe = {
  operation: string
  /** Every page works without this operation. */
  isOptional: boolean
  /** Throws an `ApiError`. */
  run: (connection: Connection, signal: AbortSignal) => Promise<Finding>
}

// Not 0: some services refuse it, and only a record shows whether they send what the pages can read.
const limit = 1

/** One small request for each operation. None of them changes anything, on any service. */
export const probes: readonly Probe[] = [
  {
    operation: 'Costs',
    isOptional: false,
    run: async (connection, signal) =>
      checkCosts(await callOperation(receiveCosts, { project_id: connection.projectId, limit }, connection, signal), limit),
  },
  { operation: 'Threads', isOptional: false, run: (connection, signal) => probeStream(receiveThreads, connection, signal) },
  { operation: 'Create queues', isOptional: false, run: probeCreateQueue },
  { operation: 'List queues', isOptional: true, run: (connection, signal) => probeStream(streamQueues, connection, signal) },
]

async function probeStream(endpoint: Parameters<typeof checkLines>[1], connection: Connection, signal: AbortSignal) {
  const response = await callOperation(endpoint, { project_id: connection.projectId, limit }, connection, signal)
  return checkLines(response, endpoint, limit)
}
