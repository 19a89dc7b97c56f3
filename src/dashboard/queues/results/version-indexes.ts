import { useMemo } from 'react'
import { parseScorerRef } from '../../../contract/scorer-ref'
import { useObjectVersions } from '../scorers/scorer-objects'

/** The number of each version, by `name:digest`. */
export type VersionIndexes = ReadonlyMap<string, number>

/** The numbers of the versions of these scorers; undefined where they are not known. */
export function useVersionIndexes(names: readonly string[]): VersionIndexes | undefined {
  const { data } = useObjectVersions(names, true)
  return useMemo(
    () => data && new Map(data.map((each) => [`${each.object_id}:${each.digest}`, each.version_index ?? -1])),
    [data],
  )
}

/** `v2`, or the beginning of the digest where the number is not known. */
export function formatVersion(ref: string, indexes: VersionIndexes | undefined): string {
  const parts = parseScorerRef(ref)
  if (typeof parts === 'string') return ref
  const index = indexes?.get(`${parts.name}:${parts.version}`)
  if (index !== undefined && index >= 0) return `v${index}`
  return /^(?:latest|v\d+)$/.test(parts.version) ? parts.version : `version ${parts.version.slice(0, 8)}`
}
