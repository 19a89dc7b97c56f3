import * as z from 'zod/mini'
import { microsecondsToEngineTime } from '../store/engine-time'
import { count } from '../store/row-types'
import { dateTime, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

// Calls that a table is not derived from yet: those with an `inserted_at` from its watermark on. Instants are in microseconds.

const PendingCall = z.object({ id: z.string(), inserted_at_us: count })
const PendingRange = z.object({ calls: count, last_us: count })
const Count = z.object({ calls: count })

/** A place in the order of insertion. */
type Place = { insertedAt: number; id: string }

/** Pending calls of a project, in the order of their insertion: after a call, and up to an instant. */
export type Pending = { projectId: string; after: Place; until: number }

/** Pending calls after a call, up to another one, which is the last of them. */
export type PendingPage = { projectId: string; after: Place; last: Place }

/** All calls of a project that were inserted from one instant to another, both inclusive. */
export type InsertedRange = { projectId: string; first: number; last: number }

/** The first pending calls, at most `limit`. Rows of `calls` are not merged here, so a call may occur twice. */
export async function readPending(
  store: Store,
  { projectId, after, until }: Pending,
  limit: number,
  options: QueryOptions,
): Promise<z.infer<typeof PendingCall>[]> {
  const statement = sql`SELECT id, toUnixTimestamp64Micro(inserted_at) AS inserted_at_us FROM calls
WHERE ${isAfter(projectId, after)} AND inserted_at < ${toDateTime(until)}
ORDER BY inserted_at, id LIMIT ${uint64(limit)}`
  return await store.query(statement, PendingCall, options)
}

/** Where about `size` pending calls end; undefined where there are fewer, or where far more were inserted at one instant. */
export async function findRange(
  store: Store,
  { projectId, after, until }: Pending,
  size: number,
  options: QueryOptions,
): Promise<InsertedRange | undefined> {
  const first = after.insertedAt
  const statement = sql`SELECT count() AS calls, max(us) AS last_us FROM (
  SELECT toUnixTimestamp64Micro(inserted_at) AS us FROM calls
  WHERE project_id = ${projectId} AND ${isFrom(first)} AND inserted_at < ${toDateTime(until)}
  ORDER BY inserted_at LIMIT ${uint64(size)}
)`
  const [found] = await store.query(statement, PendingRange, options)
  if (!found || found.calls < size) return undefined
  const range = { projectId, first, last: found.last_us }
  const [inRange] = await store.query(sql`SELECT count() AS calls FROM calls WHERE ${isIn(range)}`, Count, options)
  return inRange && inRange.calls < 2 * size ? range : undefined
}

/** A condition on `calls`: those that `readPending` has found. */
export function isInPage({ projectId, after, last }: PendingPage): Sql {
  const at = toDateTime(last.insertedAt)
  return sql`${isAfter(projectId, after)} AND inserted_at <= ${at} AND (inserted_at < ${at} OR id <= ${last.id})`
}

function isAfter(projectId: string, { insertedAt, id }: Place): Sql {
  const at = toDateTime(insertedAt)
  return sql`project_id = ${projectId} AND inserted_at >= ${at} AND (inserted_at > ${at} OR id > ${id})`
}

/**
 * A condition on `calls`: those that may have left the pages of pending calls. A call leaves its page when a part is merged with
 * it that was not stored when the update began, so its `inserted_at` is not below `storedBefore`: a merged call has the latest
 * `inserted_at` of its parts. Calls of which all parts came later meet the condition too, if there are several.
 */
export function mayHaveLeft(projectId: string, storedBefore: number): Sql {
  return sql`project_id = ${projectId} AND ${isFrom(storedBefore)} AND part_count > 1`
}

/** A condition on `calls`. */
export function isIn({ projectId, first, last }: InsertedRange): Sql {
  return sql`project_id = ${projectId} AND ${isFrom(first)} AND inserted_at <= ${toDateTime(last)}`
}

/** A condition on `calls`. */
export function isFrom(us: number): Sql {
  return sql`inserted_at >= ${toDateTime(us)}`
}

export function toDateTime(us: number) {
  return dateTime(microsecondsToEngineTime(us))
}
