import { useQuery } from '@tanstack/react-query'
import { streamQueues } from '../../contract/queues'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/stream-query'

/** Names and references of the newest queues, for the same-name warning and the list of references. */
export function useKnownQueues(): { names: ReadonlySet<string>; refs: readonly string[] } {
  const connection = useConnection()
  const { data } = useQuery(streamQuery(streamQueues, { project_id: connection.projectId, limit: 200 }, connection))
  // Where the server cannot list queues, the form works without both.
  const queues = data?.rows ?? []
  return {
    names: new Set(queues.map(({ name }) => name.toLowerCase())),
    refs: [...new Set(queues.flatMap(({ scorer_refs }) => scorer_refs))],
  }
}
