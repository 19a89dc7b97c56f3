import * as z from 'zod'
import type { ObjectFilter, ObjectVersion, objectSortFields } from '../../../contract/objects'
import type { Direction } from '../../../contract/request'
import { fromEngineTime } from '../../store/engine-time'
import { orderBy } from '../../store/order-by'
import { renderSql, type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

const VersionRow = z.object({
  project_id: z.string(),
  object_id: z.string(),
  digest: z.string(),
  kind: z.enum(['object', 'op']),
  base_object_class: z.string().nullable(),
  leaf_object_class: z.string().nullable(),
  size_bytes: z.string().transform(Number),
  created_at: z.string().transform(fromEngineTime),
  wb_user_id: z.string().transform((name) => (name === '' ? null : name)),
  version_index: z.number(),
  is_latest: z.union([z.literal(0), z.literal(1)]),
})

/** A version without its value. */
export type VersionRow = z.infer<typeof VersionRow>

// Numbers of versions are worked out here and not kept, so two that are created at once cannot be given the same one.
const versionsOfProject = `SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes,
  created_at, wb_user_id, version_index, is_latest
FROM (
  SELECT *,
    toUInt32(row_number() OVER (PARTITION BY kind, object_id ORDER BY created_at, digest) - 1) AS version_index,
    toUInt8(row_number() OVER (PARTITION BY kind, object_id, is_deleted ORDER BY created_at DESC, digest DESC) = 1) AS is_latest
  FROM (
    SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes, created_at,
      created_by AS wb_user_id, bitAnd(revision, 1) = 1 AS is_deleted
    FROM object_versions FINAL
    WHERE project_id = {project_id:String} AND (empty({object_ids:Array(String)}) OR object_id IN {object_ids:Array(String)})
  )
)
WHERE NOT is_deleted
  AND (empty({bases:Array(String)}) OR base_object_class IN {bases:Array(String)})
  AND ifNull(base_object_class NOT IN {not_bases:Array(String)}, 1)
  AND (empty({leaves:Array(String)}) OR leaf_object_class IN {leaves:Array(String)})
  AND kind IN {kinds:Array(String)}
  AND is_latest >= {least_latest:UInt8}`

const columnByField: Record<(typeof objectSortFields)[number], Sql> = { object_id: sql`object_id`, created_at: sql`created_at` }
const oldestFirst = [{ field: 'created_at', direction: 'asc' }] as const
const mostRows = 1e15 // "all", within what LIMIT and OFFSET add up to

export type VersionQuery = {
  project_id: string
  filter?: ObjectFilter | undefined
  limit?: number | undefined
  offset?: number | undefined
  sort_by?: readonly { field: (typeof objectSortFields)[number]; direction: Direction }[] | undefined
}

/** Versions without their values, oldest first unless sorted; an empty list in the filter is no filter. */
export async function listVersions(store: Store, query: VersionQuery, options: QueryOptions = {}): Promise<VersionRow[]> {
  const { filter = {} } = query
  const statement = `${versionsOfProject}
${renderSql(orderBy(query.sort_by?.length ? query.sort_by : oldestFirst, columnByField, sql`object_id, kind, digest`)).text}
LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const params = {
    project_id: query.project_id,
    object_ids: filter.object_ids ?? [],
    bases: filter.base_object_classes ?? [],
    not_bases: filter.exclude_base_object_classes ?? [],
    leaves: filter.leaf_object_classes ?? [],
    kinds: filter.is_op === undefined ? ['object', 'op'] : [filter.is_op ? 'op' : 'object'],
    least_latest: filter.latest_only ? 1 : 0,
    limit: query.limit ?? mostRows,
    offset: query.offset ?? 0,
  }
  return store.query(statement, params, VersionRow, options)
}

/** The version that a digest, `latest` or `v<N>` names among those of one object; an object is preferred to an op. */
export function findVersion(versions: readonly VersionRow[], name: string): VersionRow | undefined {
  const index = /^v(\d{1,9})$/.exec(name)?.[1]
  const isNamed = (version: VersionRow) =>
    version.digest === name ||
    (name === 'latest' && version.is_latest === 1) ||
    (index !== undefined && version.version_index === Number(index))
  const named = versions.filter(isNamed)
  return named.find(({ kind }) => kind === 'object') ?? named[0]
}

const valuesOfVersions = `SELECT object_id, digest, max(val) AS val
FROM object_versions
WHERE project_id = {project_id:String} AND object_id IN {object_ids:Array(String)} AND digest IN {digests:Array(String)}
GROUP BY object_id, digest`

const ValueRow = z.object({ object_id: z.string(), digest: z.string(), val: z.string() })

type Place = Pick<VersionRow, 'project_id' | 'object_id' | 'digest'>

/** The values of versions of one project. They must fit the memory together: see `requireFits`. */
export async function readValues(
  store: Store,
  projectId: string,
  versions: readonly Place[],
  options: QueryOptions = {},
): Promise<(version: Place) => unknown> {
  const texts = new Map<string, string>()
  if (versions.length > 0) {
    const params = {
      project_id: projectId,
      object_ids: [...new Set(versions.map((version) => version.object_id))],
      digests: [...new Set(versions.map((version) => version.digest))],
    }
    for (const row of await store.query(valuesOfVersions, params, ValueRow, options)) texts.set(keyOf(row), row.val)
  }
  return (version) => {
    const text = texts.get(keyOf(version))
    if (text === undefined) throw new Error(`A version has no value: ${version.digest}`)
    return JSON.parse(text)
  }
}

function keyOf({ object_id: objectId, digest }: { object_id: string; digest: string }): string {
  return `${digest} ${objectId}`
}

export function versionOf(row: VersionRow, val: unknown): ObjectVersion {
  return { ...row, deleted_at: null, val }
}
