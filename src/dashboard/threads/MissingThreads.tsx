import { useQuery } from '@tanstack/react-query'
import type { ReceivedThread } from '../../contract/received-threads'
import { receiveThreads } from '../../contract/received-threads'
import { useConnection } from '../client/connection-context'
import { streamedRows } from '../client/streamed-rows'
import { TableNote } from '../table/grid/TableNote'
import { findMissingIds, formatMissingIds } from './missing-ids'

const threads = streamedRows(receiveThreads)

type Props = {
  ids: readonly string[]
  filter: { thread_ids?: string[] }
  /** All threads that were found, where the page on screen shows all. */
  allRows: readonly ReceivedThread[] | undefined
  hasTimeFilter: boolean
}

/** Names the thread ids of the filter that have no row. Where the rows are on several pages, all are read for it. */
export function MissingThreads({ ids, filter, allRows, hasTimeFilter }: Props) {
  const connection = useConnection()
  const query = useQuery({
    ...threads.toQuery({ project_id: connection.projectId, filter, limit: ids.length }, connection),
    enabled: allRows === undefined,
  })
  const rows = allRows ?? (query.data?.isComplete ? query.data.rows : undefined)
  const missing = rows ? findMissingIds(ids, rows) : []
  if (missing.length === 0) return null
  return <TableNote tone="warning">{formatMissingIds(missing, ids.length, hasTimeFilter)}</TableNote>
}
