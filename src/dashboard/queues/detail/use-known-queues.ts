import { useQuery } from '@tanstack/react-query'
import { streamQueues } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'

type KnownQueues = {
  /** In lower case. */
  names: ReadonlySet<string>
  refs: readonly string[]
  /** Who made or reviews queues: the service has no list of users. */
  people: readonly string[]
}

/** What the newest queues have in them, for the same-name warning and for suggestions. */
export function useKnownQueues(): KnownQueues {
  const connection = useConnection()
  const { data } = useQuery(streamQuery(streamQueues, { project_id: connection.projectId, limit: 200 }, connection))
  // Where the server cannot list queues, the form works without both.
  const queues = data?.rows ?? []
  return {
    names: new Set(queues.map(({ name }) => name.toLowerCase())),
    refs: [...new Set(queues.flatMap(({ scorer_refs }) => scorer_refs))],
    people: [
      ...new Set([
        ...(connection.username === '' ? [] : [connection.username]),
        ...queues.flatMap(({ created_by: creator }) => creator ?? []),
        ...queues.flatMap(({ assignees }) => assignees),
      ]),
    ],
  }
}
