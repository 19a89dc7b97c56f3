import * as z from 'zod/mini'
import { maxClassNameLength, maxDigestLength, maxObjectIdLength, maxRefLength } from './limits'
import { boundedList, boundedText, formatLimit, isLongerThan, optional, refineAs } from './schema'
import { StoredJson } from './stored-json'
import { defineEndpoint } from './endpoint'
import { Instant } from './instant'
import { ProjectId } from './project-id'
import { Count, sortBy, strictFilter } from './request'

const maxObjectIds = 1000
const maxRefs = 1000

/**
 * The name of an object or op. Any text is valid: an op has the name of the user's function, and a rejected name would fail
 * the call of that function.
 */
export const ObjectId = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (name) => name.length > 0 && !isLongerThan(name, maxObjectIdLength),
      `The name of an object has 1 to ${formatLimit(maxObjectIdLength)} characters.`,
    ),
  )

/** A digest, `latest`, or `v<N>` with N from 0. */
const Version = boundedText(maxDigestLength)

/** One version of an object. `val` is null where the request asks for metadata only. An unknown author is null. */
export const ObjectVersion = z.object({
  project_id: z.string(),
  object_id: z.string(),
  created_at: Instant,
  deleted_at: z.null(),
  digest: z.string(),
  /** From 0, in the order in which versions were first created. Deleted versions keep their number. */
  version_index: z.number(),
  is_latest: z.union([z.literal(0), z.literal(1)]),
  kind: z.enum(['object', 'op']),
  base_object_class: z.nullable(z.string()),
  leaf_object_class: z.nullable(z.string()),
  val: z.unknown(),
  wb_user_id: z.nullable(z.string()),
  /** Bytes of the value's JSON. */
  size_bytes: z.number(),
})
export type ObjectVersion = z.infer<typeof ObjectVersion>

/**
 * Stores a version of an object. The same content again is the same version. `builtin_object_class` is the class of a value
 * that does not name its own; `set_base_object_class` is its older name.
 */
export const createObject = defineEndpoint({
  path: '/obj/create',
  request: z.object({
    obj: z.object({
      project_id: ProjectId,
      object_id: ObjectId,
      val: z.nonoptional(StoredJson),
      builtin_object_class: optional(boundedText(maxClassNameLength)),
      set_base_object_class: optional(boundedText(maxClassNameLength)),
    }),
  }),
  response: z.object({ digest: z.string(), object_id: z.string() }),
})

export const readObject = defineEndpoint({
  path: '/obj/read',
  request: z.object({ project_id: ProjectId, object_id: ObjectId, digest: Version, metadata_only: optional(z.boolean()) }),
  response: z.object({ obj: ObjectVersion }),
})

const Names = optional(boundedList(boundedText(maxClassNameLength), maxObjectIds))

/** Filters versions; keys combine with AND. */
const ObjectFilter = strictFilter({
  base_object_classes: Names,
  exclude_base_object_classes: Names,
  leaf_object_classes: Names,
  object_ids: optional(boundedList(boundedText(maxObjectIdLength), maxObjectIds)),
  is_op: optional(z.boolean()),
  latest_only: optional(z.boolean()),
})
export type ObjectFilter = z.infer<typeof ObjectFilter>

export const objectSortFields = ['object_id', 'created_at'] as const

/** The project's versions, oldest first unless sorted. */
export const queryObjects = defineEndpoint({
  path: '/objs/query',
  request: z.object({
    project_id: ProjectId,
    filter: optional(ObjectFilter),
    limit: Count,
    offset: Count,
    sort_by: optional(sortBy(objectSortFields)),
    metadata_only: optional(z.boolean()),
  }),
  response: z.object({ objs: z.array(ObjectVersion) }),
})

/** Deletes versions of an object; all versions without `digests`. */
export const deleteObject = defineEndpoint({
  path: '/obj/delete',
  request: z.object({ project_id: ProjectId, object_id: ObjectId, digests: optional(boundedList(Version, maxObjectIds)) }),
  response: z.object({ num_deleted: z.number() }),
})

/** The value of each reference, in order; null where a reference leads to nothing. */
export const readRefs = defineEndpoint({
  path: '/refs/read_batch',
  request: z.object({ refs: boundedList(boundedText(maxRefLength), maxRefs) }),
  response: z.object({ vals: z.array(z.unknown()) }),
})
