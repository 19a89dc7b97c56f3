import * as z from 'zod/mini'
import { msToEngineTime } from '../../store/engine-time'
import { sql } from '../../store/sql'
import type { Store, WriteOptions } from '../../store/store'

/** `lineStart` is the row as JSON, without what `storeVersion` adds at its end. */
export type NewVersion = { projectId: string; objectId: string; digest: string; lineStart: Uint8Array<ArrayBuffer> }

// A version with an odd revision is deleted.
const RevisionRow = z.object({ revision: z.number() })

/** Stores a version created at `nowMs` (milliseconds since 1970). An existing version stays as it is, a deleted one is restored. */
export async function storeVersion(store: Store, version: NewVersion, nowMs: number, options: WriteOptions): Promise<void> {
  const statement = sql`SELECT max(revision) AS revision FROM object_versions
WHERE project_id = ${version.projectId} AND object_id = ${version.objectId} AND digest = ${version.digest}
HAVING count() > 0`
  const [existing] = await store.query(statement, RevisionRow, { ...options, lane: 'write' })
  if (existing && existing.revision % 2 === 0) return
  const rest = { created_at: msToEngineTime(nowMs), revision: existing ? existing.revision + 1 : 0 }
  const lineEnd = Buffer.from(`,${JSON.stringify(rest).slice(1)}\n`)
  await store.insertLines('object_versions', Buffer.concat([version.lineStart, lineEnd]), options)
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
