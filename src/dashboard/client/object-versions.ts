import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReceivedObject, receiveObjects } from '../../contract/received-objects'
import { decodeScorerName, parseScorerRef, type ScorerRefParts } from '../../contract/scorer-ref'
import type { Connection } from './connection'
import { useConnection } from './connection-context'
import { pagedQuery } from './endpoint-query'

const maxVersionsRead = 10_000

type ObjectFilter = { base_object_classes?: string[]; object_ids?: string[]; latest_only?: boolean }

/** Versions of the project's objects. `isMetadataOnly`: without their values. */
export function objectsQuery(connection: Connection, filter: ObjectFilter, isMetadataOnly = false) {
  return pagedQuery(
    receiveObjects,
    (page) => ({
      project_id: connection.projectId,
      filter: { ...filter, is_op: false },
      sort_by: [{ field: 'object_id' as const, direction: 'asc' as const }],
      ...(isMetadataOnly && { metadata_only: true }),
      ...page,
    }),
    connection,
    { pageSize: 500, maxRows: maxVersionsRead, row: ReceivedObject, toValues: ({ objs }) => objs },
  )
}

/** All versions of the objects with these names, of any class, the newest first. */
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

/** All versions of the project's objects that the references name. */
export function useRefVersions(refs: readonly string[], isMetadataOnly = false) {
  const { projectId } = useConnection()
  return useObjectVersions(
    refs.flatMap((ref) => parseOwnRef(ref, projectId)?.name ?? []).map((name) => decodeScorerName(name)),
    isMetadataOnly,
  )
}

/** The version that each reference to an object of the project leads to, where the service lists versions. */
export function useVersionByRef(refs: readonly string[]): ReadonlyMap<string, ReceivedObject> {
  const { projectId } = useConnection()
  const { data = [] } = useRefVersions(refs, true)
  return new Map(
    refs.flatMap((ref) => {
      const parts = parseOwnRef(ref, projectId)
      const version = parts && findVersion(data, parts)
      return version ? [[ref, version] as const] : []
    }),
  )
}

function parseOwnRef(ref: string, projectId: string): ScorerRefParts | undefined {
  const parts = parseScorerRef(ref)
  return typeof parts === 'string' || `${parts.entity}/${parts.project}` !== projectId ? undefined : parts
}

/** The version that a reference names, among the versions of all objects, the newest first. */
export function findVersion(
  versions: readonly ReceivedObject[],
  { name, version }: Pick<ScorerRefParts, 'name' | 'version'>,
): ReceivedObject | undefined {
  const own = listVersions(versions, name)
  if (version === 'latest') return own[0]
  return own.find(({ digest, version_index: index }) => digest === version || `v${index}` === version)
}

/** The versions of the object with this name in a reference. */
export function listVersions(versions: readonly ReceivedObject[], name: string): ReceivedObject[] {
  const decoded = decodeScorerName(name)
  return versions.filter(({ object_id: id }) => id === name || id === decoded)
}

/** The newest first. */
export function compareVersions(left: ReceivedObject, right: ReceivedObject): number {
  return (right.version_index ?? -1) - (left.version_index ?? -1)
}
