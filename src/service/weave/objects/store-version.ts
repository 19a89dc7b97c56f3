import * as z from 'zod/mini'
import { microsecondsToEngineTime } from '../../store/engine-time'
import { count, flag } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { Store, WriteOptions } from '../../store/store'

/**
 * `line` is the row as JSON up to `startBytes`, with room for what `storeVersion` adds at its end: to copy a large value takes
 * milliseconds.
 */
export type NewVersion = {
  projectId: string
  objectId: string
  digest: string
  line: Uint8Array<ArrayBuffer>
  startBytes: number
}
export const maxLineEndBytes = 128

// A version with an odd revision is deleted.
const ObjectRow = z.object({ is_stored: flag, revision: z.number(), newest: count })

/**
 * Stores a version created at `nowMs` (milliseconds since 1970). An existing version stays as it is, a deleted one is
 * restored. The times of an object's versions decide which is the latest, so a new one is later than all others, also when
 * the clock was set back.
 */
export async function storeVersion(store: Store, version: NewVersion, nowMs: number, options: WriteOptions): Promise<void> {
  const { projectId, objectId, digest } = version
  const statement = sql`SELECT max(digest = ${digest}) AS is_stored, maxIf(revision, digest = ${digest}) AS revision,
  toUnixTimestamp64Micro(max(created_at)) AS newest
FROM object_versions WHERE project_id = ${projectId} AND object_id = ${objectId}`
  const [object] = await store.query(statement, ObjectRow, { ...options, lane: 'write' })
  const revision = object?.is_stored ? object.revision : -1
  if (revision >= 0 && revision % 2 === 0) return
  const createdAt = Math.max(nowMs * 1000, (object?.newest ?? 0) + 1)
  const rest = { created_at: microsecondsToEngineTime(createdAt), revision: revision + 1 }
  const end = Buffer.from(`,${JSON.stringify(rest).slice(1)}\n`)
  version.line.set(end, version.startBytes)
  await store.insertLines('object_versions', version.line.subarray(0, version.startBytes + end.length), options)
}

/** Deletes these versions of an object. Their values stay, so that storing a version again restores it. */
export async function deleteVersions(
  store: Store,
  projectId: string,
  objectId: string,
  digests: readonly string[],
  options: WriteOptions,
): Promise<void> {
  // Writes tombstones: each row again with the next revision. Two deletions at once write the same row.
  const statement = sql`INSERT INTO object_versions (project_id, object_id, digest, kind, base_object_class, leaf_object_class,
  size_bytes, created_at, created_by, revision)
SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes, created_at, created_by, revision + 1
FROM object_versions FINAL
WHERE project_id = ${projectId} AND object_id = ${objectId} AND digest IN ${digests}
  AND bitAnd(revision, 1) = 0`
  await store.command(statement, options)
}
