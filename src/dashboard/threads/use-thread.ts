import { useQuery } from '@tanstack/react-query'
import { type ReceivedThread, receiveThreads } from '../../contract/received-threads'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/stream-query'

type FoundThread = {
  thread: ReceivedThread | undefined
  /** Undefined where the thread is known. */
  problem: 'looking' | 'missing' | Error | undefined
  /** When it was read, milliseconds. */
  readAt: number
}

/** A thread by its id, with the figures of all its turns. Not looked up where it is on screen already. */
export function useThread(id: string, isOnScreen = false): FoundThread {
  const connection = useConnection()
  const filter = { thread_ids: [id] }
  const { data, error, dataUpdatedAt } = useQuery({
    ...streamQuery(receiveThreads, { project_id: connection.projectId, filter }, connection),
    enabled: !isOnScreen,
  })
  // A service may ignore the filter: then it sends other threads.
  const thread = data?.rows.find(({ thread_id }) => thread_id === id)
  const problem = thread ? undefined : (error ?? (data?.isComplete ? 'missing' : 'looking'))
  return { thread, problem, readAt: dataUpdatedAt }
}

export function formatThreadProblem(problem: NonNullable<FoundThread['problem']>): string {
  if (problem === 'looking') return 'Looking for this thread…'
  return problem === 'missing' ? 'There is no such thread.' : `This thread could not be looked up. ${problem.message}`
}
