import type { ReceivedObject } from '../../../contract/received-objects'
import type { ScorerRefParts } from '../../../contract/scorer-ref'

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

/** `v2`, or the start of the digest where a service does not number its versions. */
export function formatVersion({ version_index: index, digest }: Pick<ReceivedObject, 'version_index' | 'digest'>): string {
  return index === null ? shortenVersion(digest) : `v${index}`
}

/** Digests have 43 or 64 characters; their first ones tell versions apart. */
export function shortenVersion(version: string): string {
  return version.length > 12 ? `${version.slice(0, 8)}…` : version
}

/** A scorer's name as people write it. Text that is not valid percent-encoding stays unchanged. */
export function decodeScorerName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
