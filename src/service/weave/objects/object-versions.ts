import * as z from 'zod/mini'
import type { ObjectFilter, ObjectVersion, objectSortFields } from '../../../contract/objects'
import type { Direction } from '../../../contract/request'
import { JsonText } from '../../lib/json-text'
import { limitOffset } from '../../store/limit-offset'
import { orderBy } from '../../store/order-by'
import { count, engineTime, textOrNull } from '../../store/row-types'
import { joinSql, type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

const VersionRow = z.object({
  project_id: z.string(),
  object_id: z.string(),
  digest: z.string(),
  kind: z.enum(['object', 'op']),
  base_object_class: z.nullable(z.string()),
  leaf_object_class: z.nullable(z.string()),
  size_bytes: count,
  created_at: engineTime,
  wb_user_id: textOrNull,
  version_index: z.number(),
  is_latest: z.union([z.literal(0), z.literal(1)]),
})

/** A version without its value. */
export type VersionRow = z.infer<typeof VersionRow>

export type VersionQuery = {
  project_id: string
  filter?: ObjectFilter | undefined
  limit?: number | undefined
  offset?: number | undefined
  sort_by?: readonly { field: (typeof objectSortFields)[number]; direction: Direction }[] | undefined
}

// The number of a version is calculated when it is read, so that two versions created at once never get the same number.
function selectVersions(projectId: string, filter: ObjectFilter): Sql {
  return sql`SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes,
  created_at, wb_user_id, version_index, is_latest
FROM (
  SELECT *,
    toUInt32(row_number() OVER (PARTITION BY kind, object_id ORDER BY created_at, digest) - 1) AS version_index,
    toUInt8(row_number() OVER (PARTITION BY kind, object_id, is_deleted ORDER BY created_at DESC, digest DESC) = 1) AS is_latest
  FROM (
    SELECT project_id, object_id, digest, kind, base_object_class, leaf_object_class, size_bytes, created_at,
      created_by AS wb_user_id, bitAnd(revision, 1) = 1 AS is_deleted
    FROM object_versions FINAL
    WHERE project_id = ${projectId} ${filter.object_ids?.length ? sql`AND object_id IN ${filter.object_ids}` : sql``}
  )
)
WHERE ${joinSql([sql`NOT is_deleted`, ...filterConditions(filter)], ' AND ')}`
}

/** An empty list is no filter. `object_ids` is not among these: it narrows the rows before they are numbered. */
function filterConditions(filter: ObjectFilter): Sql[] {
  const { base_object_classes: bases, exclude_base_object_classes: excludedBases, leaf_object_classes: leaves } = filter
  return [
    ...(bases?.length ? [sql`base_object_class IN ${bases}`] : []),
    ...(excludedBases?.length ? [sql`ifNull(base_object_class NOT IN ${excludedBases}, 1)`] : []),
    ...(leaves?.length ? [sql`leaf_object_class IN ${leaves}`] : []),
    ...(filter.is_op === undefined ? [] : [sql`kind = ${filter.is_op ? 'op' : 'object'}`]),
    ...(filter.latest_only ? [sql`is_latest = 1`] : []),
  ]
}

const columnByField: Record<(typeof objectSortFields)[number], Sql> = { object_id: sql`object_id`, created_at: sql`created_at` }
const oldestFirst = [{ field: 'created_at', direction: 'asc' }] as const

/** Versions without their values, oldest first unless sorted. */
export async function listVersions(store: Store, query: VersionQuery, options: QueryOptions = {}): Promise<VersionRow[]> {
  const statement = sql`${selectVersions(query.project_id, query.filter ?? {})}
${orderBy(query.sort_by?.length ? query.sort_by : oldestFirst, columnByField, sql`object_id, kind, digest`)}
${limitOffset(query)}`
  return store.query(statement, VersionRow, options)
}

/** Finds a version by digest, `latest` or `v<N>` among the versions of one object. An object comes before an op. */
export function findVersion(versions: readonly VersionRow[], name: string): VersionRow | undefined {
  const index = /^v(\d{1,9})$/.exec(name)?.[1]
  const matches = versions.filter(
    (version) =>
      version.digest === name ||
      (name === 'latest' && version.is_latest === 1) ||
      (index !== undefined && version.version_index === Number(index)),
  )
  return matches.find(({ kind }) => kind === 'object') ?? matches[0]
}

const ValueRow = z.object({ object_id: z.string(), digest: z.string(), val: z.string() })

type VersionKey = Pick<VersionRow, 'object_id' | 'digest'>

/** Reads the values of versions of one project. All must fit into memory at once: see `requireResponseFits`. */
export async function readValues(
  store: Store,
  projectId: string,
  versions: readonly VersionKey[],
  options: QueryOptions = {},
): Promise<(version: VersionKey) => JsonText> {
  const jsonByKey = new Map<string, JsonText>()
  if (versions.length > 0) {
    const statement = sql`SELECT object_id, digest, max(val) AS val
FROM object_versions
WHERE project_id = ${projectId}
  AND object_id IN ${[...new Set(versions.map((version) => version.object_id))]}
  AND digest IN ${[...new Set(versions.map((version) => version.digest))]}
GROUP BY object_id, digest`
    for (const row of await store.query(statement, ValueRow, options)) jsonByKey.set(toKey(row), new JsonText(row.val))
  }
  return (version) => {
    const json = jsonByKey.get(toKey(version))
    if (json === undefined) throw new Error(`A version has no value: ${version.digest}`)
    return json
  }
}

function toKey({ object_id: objectId, digest }: VersionKey): string {
  return `${digest} ${objectId}`
}

export function toObjectVersion(row: VersionRow, val: unknown): ObjectVersion {
  return { ...row, deleted_at: null, val }
}
