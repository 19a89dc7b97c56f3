import type { ReceivedObject } from '../../contract/received-objects'

export type ObjectVersion = Pick<ReceivedObject, 'version_index' | 'digest'>

/** `v2`, or the start of the digest where a service does not number its versions. */
export function formatVersion({ version_index: index, digest }: ObjectVersion): string {
  return index === null ? shortenVersion(digest) : `v${index}`
}

/** The version in a reference. `version` is what it leads to, where that is known. */
export function formatRefVersion(text: string, version: ObjectVersion | undefined): string {
  if (!version) return shortenVersion(text)
  return text === 'latest' ? `latest (${formatVersion(version)})` : formatVersion(version)
}

/** Digests have 43 or 64 characters; their first ones tell versions apart. */
export function shortenVersion(version: string): string {
  return version.length > 12 ? `${version.slice(0, 8)}…` : version
}
