import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { queryCallTree } from '../../../contract/call-tree'
import { receiveThreads } from '../../../contract/received-threads'
import { useConnection } from '../../client/connection-context'
import { refetchAll, streamQuery } from '../../client/stream-query'
import { useLiveRows } from '../../table/grid/use-live-rows'

type Options = {
  threadId: string
  isLive: boolean
  isFetching: boolean
  /** Reads the turns again. */
  refetch: () => Promise<unknown>
  /** The turn that is open still runs, so its calls change too. */
  isOpenTurnRunning: boolean
}

/**
 * Reads the turns of a thread again when it has changed. The service says only that some thread of the project did, so the
 * figures of this one are asked for first: they are one row. Returns what `useLiveRows` does.
 */
export function useLiveTurns({ threadId, isLive, isFetching, refetch, isOpenTurnRunning }: Options) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const state = useRef({ isAsking: false, isAskedAgain: false, figures: '' })
  const readFigures = async () => {
    const filter = { thread_ids: [threadId] }
    const query = streamQuery(receiveThreads, { project_id: connection.projectId, filter }, connection)
    const { rows } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
    // A service may ignore the filter: then it sends other threads.
    return JSON.stringify(rows.filter((thread) => thread.thread_id === threadId))
  }
  const follow = async () => {
    const figures = await readFigures()
    const hasChanged = figures !== state.current.figures
    state.current.figures = figures
    if (hasChanged) await refetch()
    if (hasChanged || isOpenTurnRunning) await refetchAll(queryClient, queryCallTree)
  }
  const followOneByOne = async () => {
    state.current.isAskedAgain = true
    if (state.current.isAsking) return
    state.current.isAsking = true
    while (state.current.isAskedAgain) {
      state.current.isAskedAgain = false
      // What is wrong is shown where the turns are asked for.
      await follow().catch(refetch)
    }
    state.current.isAsking = false
  }
  return useLiveRows(isLive ? 'threads' : undefined, { isFetching, refetch: followOneByOne })
}
