import { useQuery, useQueryClient } from '@tanstack/react-query'
import { annotationSpecClass } from '../../../contract/annotation-spec'
import { type ReceivedObject, storeObject } from '../../../contract/received-objects'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { compareVersions, objectsQuery } from '../../client/object-versions'
import { operationExistsQuery } from '../../client/operation-exists-query'

/** The project's scorers and annotation specs: the latest version of each, or all versions. */
export function useProjectScorers(isLatestOnly: boolean, enabled = true) {
  const filter = { base_object_classes: ['Scorer', annotationSpecClass], ...(isLatestOnly && { latest_only: true }) }
  return useQuery({ ...objectsQuery(useConnection(), filter), enabled })
}

/** Reads the versions of one object now: somebody else may have made one. Undefined where the service cannot say. */
export function useReadVersions(): (name: string) => Promise<ReceivedObject[] | undefined> {
  const connection = useConnection()
  const client = useQueryClient()
  return async (name) => {
    try {
      const { rows } = await client.fetchQuery({ ...objectsQuery(connection, { object_ids: [name] }), staleTime: 0 })
      return rows.toSorted(compareVersions)
    } catch {
      // The reply to what is stored afterwards says what is wrong with the service.
      return undefined
    }
  }
}

/** Whether the service stores scorers. A Spool does; another one is asked. Undefined until it has answered. */
export function useStoresScorers(): boolean | undefined {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const { data } = useQuery({ ...operationExistsQuery(storeObject, connection), enabled: !isSpool })
  return isSpool || data
}
