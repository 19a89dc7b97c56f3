import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { annotationSpecClass } from '../../../contract/annotation-spec'
import { ReceivedObject, receiveObjects, storeObject } from '../../../contract/received-objects'
import { parseScorerRef } from '../../../contract/scorer-ref'
import { type Connection, usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { pagedQuery } from '../../client/endpoint-query'
import { operationExistsQuery } from '../../client/operation-exists-query'
import { decodeScorerName } from './find-version'

/** The newest first. */
export function compareVersions(left: ReceivedObject, right: ReceivedObject): number {
  return (right.version_index ?? -1) - (left.version_index ?? -1)
}

const maxVersionsRead = 10_000

function objectsQuery(
  connection: Connection,
  filter: { base_object_classes?: string[]; object_ids?: string[]; latest_only?: boolean },
  metadata_only = false,
) {
  return pagedQuery(
    receiveObjects,
    (page) => ({
      project_id: connection.projectId,
      filter: { ...filter, is_op: false },
      sort_by: [{ field: 'object_id' as const, direction: 'asc' as const }],
      ...(metadata_only && { metadata_only }),
      ...page,
    }),
    connection,
    { pageSize: 500, maxRows: maxVersionsRead, row: ReceivedObject, toValues: ({ objs }) => objs },
  )
}

/** The project's scorers and annotation specs: the latest version of each, or all versions. */
export function useProjectScorers(isLatestOnly: boolean, enabled = true) {
  const filter = { base_object_classes: ['Scorer', annotationSpecClass], ...(isLatestOnly && { latest_only: true }) }
  return useQuery({ ...objectsQuery(useConnection(), filter), enabled })
}

/** All versions of the project's objects that the references name, of any class, the newest first. */
export function useRefVersions(refs: readonly string[], isMetadataOnly = false) {
  const { projectId } = useConnection()
  const names = refs.flatMap((ref) => {
    const parts = parseScorerRef(ref)
    return typeof parts === 'string' || `${parts.entity}/${parts.project}` !== projectId ? [] : [decodeScorerName(parts.name)]
  })
  return useObjectVersions(names, isMetadataOnly)
}

export function useObjectVersions(names: readonly string[], isMetadataOnly = false) {
  const object_ids = [...new Set(names)].toSorted()
  const query = objectsQuery(useConnection(), { object_ids }, isMetadataOnly)
  return useQuery({
    ...query,
    enabled: object_ids.length > 0,
    placeholderData: keepPreviousData,
    select: ({ rows }) => rows.toSorted(compareVersions),
  })
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
