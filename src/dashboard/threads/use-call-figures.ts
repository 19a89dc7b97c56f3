import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { receiveFoundThreads } from '../../contract/received-thread-search'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/stream-query'
import { useDrawn } from '../ui/use-drawn'
import { hasFigures, type ListedThread } from './thread-columns'
import type { CallFigures } from './UsageCell'

type Options = {
  /** The service has the operation. */
  canSearch: boolean
  /** The rows are complete. */
  isReady: boolean
  /** The rows are those of the view before, and stay until the next ones come. */
  isPlaceholder: boolean
  /** Only turns between these count. */
  bounds: { after_datetime?: string; before_datetime?: string }
}

/**
 * What is known of the calls of these threads, by thread id: it comes with the rows, or is read after them. Until it `isRead`,
 * it is what was known of the rows before. Undefined where the service does not tell. `error` says why it could not be read;
 * it is tried again.
 */
export function useCallFigures(
  threads: readonly ListedThread[] | undefined,
  { canSearch, isReady, isPlaceholder, bounds }: Options,
) {
  const connection = useConnection()
  const drawnThreads = useDrawn(isReady ? threads : undefined, undefined)
  const found = useMemo(() => threads?.filter(hasFigures) ?? [], [threads])
  // Of rows that somebody has left nothing is read any more: the service is to read the next ones.
  const thread_ids = isPlaceholder ? [] : (threads?.map(({ thread_id }) => thread_id) ?? [])
  const filter = { ...bounds, thread_ids }
  const { data, error, isPlaceholderData } = useQuery({
    ...streamQuery(receiveFoundThreads, { project_id: connection.projectId, filter }, connection),
    enabled: canSearch && isReady && drawnThreads === threads && thread_ids.length > 0 && found.length === 0,
    placeholderData: keepPreviousData,
    // The table is complete without it, so the next attempt takes its time.
    retry: false,
  })
  const read = found.length > 0 ? found : data?.rows
  const byThread = useMemo(() => read && new Map(read.map((each): [string, CallFigures] => [each.thread_id, each])), [read])
  const isRead = found.length > 0 || (data !== undefined && !isPlaceholderData)
  return { byThread, isRead, error }
}
