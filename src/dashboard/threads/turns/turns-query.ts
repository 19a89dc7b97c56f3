import { receiveCalls } from '../../../contract/received-call'
import { streamTurns } from '../../../contract/turns'
import { ApiError, isMissingOperation, ResponseSchemaError } from '../../client/api-error'
import { type Connection, usesSession } from '../../client/connection'
import { endpointQueryKey, incrementalQuery, type Part } from '../../client/endpoint-query'
import { type RowBatch, streamRows } from '../../client/stream-rows'
import { fromCall, fromTurn, type ThreadTurn } from './thread-turn'

/** The service lists neither the turns of a thread nor calls. */
export class TurnsUnavailableError extends Error {
  override readonly name = 'TurnsUnavailableError'
}

/** What `fromCall` reads. */
const callColumns = ['trace_id', 'turn_id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'summary']

/** Some services never answer a request for what they do not have. */
const maxWaitMs = 10_000

/**
 * The turns of a thread, from Spool's own operation, else from the calls of the thread: a turn is a call whose id is its
 * turn's. Fails with `TurnsUnavailableError` where a service has neither.
 */
export function turnsQuery(threadId: string, connection: Connection) {
  const input = { project_id: connection.projectId, thread_id: threadId }
  return incrementalQuery<ThreadTurn>(endpointQueryKey(streamTurns, input, connection), (signal) =>
    readTurns(threadId, connection, signal),
  )
}

async function* readTurns(threadId: string, connection: Connection, signal: AbortSignal): AsyncGenerator<Part<ThreadTurn>> {
  const project_id = connection.projectId
  let hasBegun = false
  try {
    const turns = withPatience(connection, signal, (own) =>
      streamRows(streamTurns, { project_id, thread_id: threadId }, { connection, signal: own }),
    )
    for await (const batch of requireRows(turns)) {
      hasBegun = true
      yield { ...batch, rows: batch.rows.map(fromTurn), isLast: false }
    }
    yield { rows: [], brokenLines: [], isLast: true }
    return
  } catch (error) {
    if (hasBegun || signal.aborted) throw error
    // A Spool has the operation, so what it says counts. Of another service any failure may mean that it has not.
    if (!isMissing(error) && (usesSession(connection) || !(error instanceof ApiError))) throw error
  }
  const filter = { thread_ids: [threadId] }
  const sort_by = [{ field: 'started_at', direction: 'asc' as const }]
  try {
    const calls = withPatience(connection, signal, (own) =>
      streamRows(receiveCalls, { project_id, filter, columns: callColumns, sort_by }, { connection, signal: own }),
    )
    for await (const batch of requireRows(calls)) {
      yield { ...batch, rows: batch.rows.filter(({ id, turn_id }) => id === turn_id).map(fromCall), isLast: false }
    }
    yield { rows: [], brokenLines: [], isLast: true }
  } catch (error) {
    if (!signal.aborted && isMissing(error)) throw new TurnsUnavailableError('The service lists no turns.', { cause: error })
    throw error
  }
}

/** Whether a service answered as it does for an operation that it does not have. */
function isMissing(error: unknown): boolean {
  return isMissingOperation(error) || error instanceof ResponseSchemaError || error instanceof SilentServiceError
}

/** Some services answer every request with a page of HTML, which has lines too. Where no line is a row, it is no list. */
async function* requireRows<Row>(batches: AsyncGenerator<RowBatch<Row>>): AsyncGenerator<RowBatch<Row>> {
  const unreadable: RowBatch<Row>['brokenLines'] = []
  let hasRows = false
  for await (const batch of batches) {
    hasRows ||= batch.rows.length > 0
    if (hasRows) yield { ...batch, brokenLines: [...unreadable.splice(0), ...batch.brokenLines] }
    else unreadable.push(...batch.brokenLines)
  }
  const [line] = unreadable
  if (line) throw new ResponseSchemaError({ method: 'POST', path: streamTurns.path }, 200, line.reason)
}

class SilentServiceError extends ApiError {
  constructor() {
    super(`The service did not answer within ${maxWaitMs / 1000} s.`, { method: 'POST', path: streamTurns.path })
  }
}

/** What `read` yields. Where another service than Spool sends nothing for some seconds, its request is ended. */
async function* withPatience<Row>(
  connection: Connection,
  signal: AbortSignal,
  read: (signal: AbortSignal) => AsyncGenerator<RowBatch<Row>>,
): AsyncGenerator<RowBatch<Row>> {
  if (usesSession(connection)) {
    yield* read(signal)
    return
  }
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), maxWaitMs)
  try {
    for await (const batch of read(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer)
      yield batch
    }
  } catch (error) {
    throw silence.signal.aborted && !signal.aborted ? new SilentServiceError() : error
  } finally {
    clearTimeout(timer)
  }
}
