import { queryCallTree, type TreeCall } from '../../../contract/call-tree'
import { type ReceivedCall, receiveCalls } from '../../../contract/received-call'
import type { Connection } from '../../client/connection'
import { growingQuery } from '../../client/growing-query'
import { mayLackOperation } from '../../client/may-lack-operation'
import type { BrokenLine, RowsOfResponse } from '../../client/parse-rows'
import { streamRows } from '../../client/stream-rows'
import { arrangeTree } from './arrange-tree'
import { CallTree } from './call-tree'

/** More calls of one turn are not read: they take about 100 MB. */
export const maxTreeCalls = 100_000
/** A list of calls comes with their summaries, and is made into a tree in one task. */
export const maxListedCalls = 20_000

/** Query options for the tree of a turn. `traceId` is '' where it is not known; only services without `/calls/tree` need it. */
export function callTreeQuery({ turnId, traceId }: { turnId: string; traceId: string }, connection: Connection) {
  const { projectId } = connection
  return growingQuery(queryCallTree, connection, {
    input: { project_id: projectId, call_id: turnId },
    create: () => new CallTree(),
    readParts: async function* (tree, signal) {
      try {
        // One more than is shown, so that a tree of just so many does not look cut.
        const input = { project_id: projectId, call_id: turnId, limit: maxTreeCalls + 1 }
        yield* streamRows(queryCallTree, input, { connection, signal, maxRows: maxTreeCalls + 1 })
      } catch (error) {
        if (tree.size > 0 || !mayLackOperation(error, connection)) throw error
        tree.isMadeHere = true
        yield readFromList({ turnId, traceId }, connection, signal)
      }
    },
  })
}

type List = { rows: ReceivedCall[]; brokenLines: BrokenLine[]; isTruncated: boolean }

/** The tree made of the calls of the trace, which services list that have no trees. */
async function readFromList(
  { turnId, traceId }: { turnId: string; traceId: string },
  connection: Connection,
  signal: AbortSignal,
): Promise<RowsOfResponse<TreeCall>> {
  const read = async (filter: object, limit: number): Promise<List> => {
    const list: List = { rows: [], brokenLines: [], isTruncated: false }
    const input = { project_id: connection.projectId, filter, columns, include_costs: true, limit }
    for await (const part of streamRows(receiveCalls, input, { connection, signal, maxRows: limit })) {
      list.rows.push(...part.rows)
      list.brokenLines.push(...part.brokenLines)
      list.isTruncated ||= part.isTruncated ?? false
    }
    return list
  }
  const knownTraceId = traceId || (await read({ call_ids: [turnId] }, 1)).rows[0]?.trace_id
  if (!knownTraceId) return { rows: [], brokenLines: [] }
  const { rows, ...rest } = await read({ trace_ids: [knownTraceId] }, maxListedCalls + 1)
  // A service may ignore the filter.
  const ofTrace = rows.filter(({ trace_id: id }) => id === null || id === knownTraceId)
  return { rows: arrangeTree(ofTrace, turnId), ...rest }
}

/** Without inputs, output and attributes. */
const columns = [
  'id',
  'trace_id',
  'parent_id',
  'turn_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
  'summary',
]
