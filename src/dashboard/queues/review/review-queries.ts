import type { QueryClient } from '@tanstack/react-query'
import { type JsonColumn, jsonColumns, parseCallField } from '../../../contract/call-fields'
import { type QueueItem, queryQueueItems, queryQueueStats } from '../../../contract/queue-items'
import { receiveCall } from '../../../contract/received-call'
import { streamTurns } from '../../../contract/turns'
import { callPlacesQuery } from '../../client/call-places'
import type { Connection } from '../../client/connection'
import { endpointQuery } from '../../client/endpoint-query'
import { streamQuery } from '../../client/stream-query'
import { pieceLength } from '../../payload/call-payload'

/** What a reviewer is shown of a call: a column with JSON or a value in it, or another field. */
export type DisplayField = { name: string; column: JsonColumn; path: readonly string[] } | { name: string; plain: string }

/** Without display fields a reviewer sees the inputs and the output. */
export function toDisplayFields({ display_fields: names }: Pick<QueueItem, 'display_fields'>): DisplayField[] {
  return (names.length > 0 ? names : ['inputs', 'output']).map((name) => {
    const field = parseCallField(name)
    return field && 'column' in field ? { name, column: field.column, path: field.path } : { name, plain: name }
  })
}

/** The call with what its reviewer is shown, and as much of each column as a page shows at once. */
export function reviewedCallQuery(callId: string, displayFields: readonly DisplayField[], connection: Connection) {
  const columns = new Set(displayFields.flatMap((field) => ('column' in field ? field.column : [])))
  const needsSummary = displayFields.some((field) => 'plain' in field && field.plain.startsWith('summary'))
  const fields = jsonColumns.filter((column) => columns.has(column) || (needsSummary && column === 'summary'))
  const input = { project_id: connection.projectId, id: callId, fields: fields.length > 0 ? fields : [...jsonColumns] }
  return endpointQuery(receiveCall, { ...input, range: [0, pieceLength] }, connection)
}

/** A reviewer sees the turns around one; a longer thread is opened in Threads. */
const maxTurns = 500

export function threadTurnsQuery(threadId: string, connection: Connection) {
  return streamQuery(streamTurns, { project_id: connection.projectId, thread_id: threadId, limit: maxTurns }, connection)
}

/** Reads what the page shows of an item before it is shown. */
export async function preloadItem(item: QueueItem, queryClient: QueryClient, connection: Connection): Promise<void> {
  const [places] = await Promise.all([
    queryClient.fetchQuery(callPlacesQuery([item.call_id], connection)),
    queryClient.fetchQuery(reviewedCallQuery(item.call_id, toDisplayFields(item), connection)),
  ])
  const threadId = places.get(item.call_id)?.thread_id
  if (threadId) await queryClient.prefetchQuery(threadTurnsQuery(threadId, connection))
}

/** The items that somebody has now. */
export function heldItemsQuery(queueId: string, { projectId, ...connection }: Connection) {
  const filter = { annotation_states: ['in_progress' as const] }
  const input = { project_id: projectId, queue_id: queueId, filter, limit: 200 }
  return endpointQuery(queryQueueItems, input, { projectId, ...connection })
}

/** How often a reviewer is told how far the queue is, and who else is there. */
export const statsMs = 10_000

export function queueStatsQuery(queueId: string, connection: Connection) {
  return endpointQuery(queryQueueStats, { project_id: connection.projectId, queue_ids: [queueId] }, connection)
}
