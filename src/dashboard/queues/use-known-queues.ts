import { useQuery } from '@tanstack/react-query'
import { streamQueues } from '../../contract/queues'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/endpoint-query'

/** The project's latest queues, for what the form can learn from them: names in use and references to pick from. */
export function useKnownQueues(): { names: ReadonlySet<string>; refs: readonly string[] } {
  const connection = useConnection()
  const { data } = useQuery(streamQuery(streamQueues, { project_id: connection.projectId, limit: 200 }, connection))
  // A server that cannot list them leaves the form as useful as it is without.
  const queues = data?.rows ?? []
  return {
    names: new Set(queues.map(({ name }) => name.toLowerCase())),
    refs: [...new Set(queues.flatMap(({ scorer_refs }) => scorer_refs))],
  }
}
