import * as z from 'zod'
import type * as zm from 'zod/mini'
import {
  type FeedbackField,
  type feedbackSortFields,
  type NewFeedback,
  payloadPath,
  type queryFeedback,
} from '../../../contract/feedback'
import { compileExpression, type FieldSql } from '../../store/compile-expression'
import { toEngineTime, fromEngineTime } from '../../store/engine-time'
import { orderBy } from '../../store/order-by'
import { identifier, joinSql, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

/** Stores feedback made `createdAt` (milliseconds since 1970). Of two that were stored under one id the first counts. */
export async function storeFeedback(
  store: Store,
  all: readonly (NewFeedback & { id: string; createdBy: string })[],
  createdAt: number,
): Promise<void> {
  const created_at = toEngineTime(new Date(createdAt).toISOString())
  const rows = all.map(({ createdBy, payload, project_id, id, weave_ref, feedback_type, ...rest }) => {
    const text = JSON.stringify(payload)
    return {
      project_id,
      id,
      weave_ref,
      feedback_type,
      creator: rest.creator ?? null,
      created_at,
      created_by: createdBy,
      annotation_ref: rest.annotation_ref ?? null,
      runnable_ref: rest.runnable_ref ?? null,
      call_ref: rest.call_ref ?? null,
      trigger_ref: rest.trigger_ref ?? null,
      payload: text,
      size_bytes: Buffer.byteLength(text),
      is_deleted: 0,
      version: firstOf(createdAt),
    }
  })
  await store.insert('feedback', rows)
}

/** The earlier, the greater. A tombstone is above them all. */
function firstOf(createdAt: number): number {
  return 2 ** 48 - createdAt
}

const bury = `INSERT INTO feedback (project_id, id, weave_ref, feedback_type, creator, created_at, created_by, annotation_ref,
  runnable_ref, call_ref, trigger_ref, payload, size_bytes, is_deleted, version)
SELECT project_id, id, weave_ref, feedback_type, creator, created_at, created_by, annotation_ref,
  runnable_ref, call_ref, trigger_ref, '', 0, 1, bitShiftLeft(toUInt64(1), 60)
FROM feedback FINAL
WHERE project_id = {project_id:String} AND is_deleted = 0 AND id IN {ids:Array(String)}`

/** Removes feedback by id; ids the project does not have are passed over. */
export async function buryFeedback(store: Store, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await store.command(bury, { project_id: projectId, ids })
}

const FeedbackRow = z.object({
  id: z.string(),
  project_id: z.string(),
  weave_ref: z.string(),
  wb_user_id: z.string(),
  creator: z.string().nullable(),
  created_at: z.string().transform(fromEngineTime),
  feedback_type: z.string(),
  payload: z.string().transform((text): unknown => JSON.parse(text)),
  annotation_ref: z.string().nullable(),
  runnable_ref: z.string().nullable(),
  call_ref: z.string().nullable(),
  trigger_ref: z.string().nullable(),
})
export type FeedbackRow = z.infer<typeof FeedbackRow> & Record<FeedbackField, unknown>

const feedbackOfProject = (projectId: string) => sql`FROM (
  SELECT *, created_by AS wb_user_id FROM feedback FINAL
  WHERE project_id = ${projectId} AND is_deleted = 0
)`

const columnByField: Record<(typeof feedbackSortFields)[number], Sql> = {
  id: sql`id`,
  weave_ref: sql`weave_ref`,
  wb_user_id: sql`wb_user_id`,
  creator: sql`creator`,
  created_at: sql`created_at`,
  feedback_type: sql`feedback_type`,
}
const newestFirst = [{ field: 'created_at', direction: 'desc' }] as const

type Input = zm.output<typeof queryFeedback.request>

/** What a query selects, as SQL from its FROM on. */
export function compileFeedbackQuery({ project_id, query, sort_by, offset = 0 }: Input, limit: number): Sql {
  const condition = query && compileExpression(query, feedbackField)
  return sql`${feedbackOfProject(project_id)}
${condition ? sql`WHERE ${condition}` : sql``}
${orderBy(sort_by?.length ? sort_by : newestFirst, columnByField, sql`id DESC`)}
LIMIT ${uint64(limit)} OFFSET ${uint64(offset)}`
}

/** How much a query would answer with. */
export async function measureFeedback(store: Store, query: Sql, options: QueryOptions) {
  const Size = z.object({ rows: z.string().transform(Number), bytes: z.string().transform(Number) })
  const statement = sql`SELECT count() AS rows, sum(size_bytes) AS bytes FROM (SELECT size_bytes ${query})`
  const [size] = await store.query(statement, Size, options)
  return size ?? { rows: 0, bytes: 0 }
}

export async function listFeedback(store: Store, query: Sql, options: QueryOptions): Promise<FeedbackRow[]> {
  const statement = sql`SELECT id, project_id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload, annotation_ref,
  runnable_ref, call_ref, trigger_ref ${query}`
  return store.query(statement, FeedbackRow, options)
}

function feedbackField(name: string): FieldSql {
  const path = payloadPath(name)
  if (path) {
    const keys = path.map((key) => sql`${key}`)
    return { type: 'json', sql: sql`JSONExtractRaw(payload, ${joinSql(keys, ', ')})` }
  }
  if (name === 'payload') return { type: 'json', sql: sql`payload` }
  if (name === 'created_at') return { type: 'datetime', sql: sql`created_at` }
  const column = textColumns.find((each) => each === name)
  if (!column) throw new Error(`The schema let through a field that feedback does not have: ${name}`)
  return { type: 'string', sql: identifier(column) }
}

const textColumns = [
  'id',
  'weave_ref',
  'wb_user_id',
  'creator',
  'feedback_type',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
] as const
