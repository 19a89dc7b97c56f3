import * as z from 'zod'
import { toEngineTime } from '../../store/engine-time'
import type { Store } from '../../store/store'

export type NewVersion = {
  project_id: string
  object_id: string
  digest: string
  kind: 'object' | 'op'
  base_object_class: string | null
  leaf_object_class: string | null
  /** JSON. */
  val: string
  created_by: string
}

const revisionOfVersion = `SELECT max(revision) AS revision FROM object_versions
WHERE project_id = {project_id:String} AND object_id = {object_id:String} AND digest = {digest:String}
HAVING count() > 0`

/** Stores a version created `now`, milliseconds since 1970. One that is there already is left as it is, a deleted one comes back. */
export async function storeVersion(store: Store, version: NewVersion, now: number): Promise<void> {
  const { project_id, object_id, digest } = version
  const [known] = await store.query(revisionOfVersion, { project_id, object_id, digest }, z.object({ revision: z.number() }), {
    lane: 'write',
  })
  if (known && known.revision % 2 === 0) return
  await store.insert('object_versions', [
    {
      ...version,
      size_bytes: Buffer.byteLength(version.val),
      created_at: toEngineTime(new Date(now).toISOString()),
      revision: known ? known.revision + 1 : 0,
    },
  ])
}

// Two that delete at once write the same row.
const bury = `INSERT INTO object_versions (project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes,
  created_at, created_by, revision)
SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes, created_at, created_by, revision + 1
FROM object_versions FINAL
WHERE project_id = {project_id:String} AND object_id = {object_id:String} AND digest IN {digests:Array(String)}
  AND bitAnd(revision, 1) = 0`

/** Deletes these versions of an object; their values stay, so that they can come back. */
export async function deleteVersions(
  store: Store,
  projectId: string,
  objectId: string,
  digests: readonly string[],
): Promise<void> {
  await store.command(bury, { project_id: projectId, object_id: objectId, digests })
}
