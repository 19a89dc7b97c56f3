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
import type { QueryOptions, QueryParams, Store } from '../../store/store'

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

const feedbackOfProject = `FROM (
  SELECT *, created_by AS wb_user_id FROM feedback FINAL
  WHERE project_id = {project_id:String} AND is_deleted = 0
)`

const columnByField: Record<(typeof feedbackSortFields)[number], string> = {
  id: 'id',
  weave_ref: 'weave_ref',
  wb_user_id: 'wb_user_id',
  creator: 'creator',
  created_at: 'created_at',
  feedback_type: 'feedback_type',
}
const newestFirst = [{ field: 'created_at', direction: 'desc' }] as const

type Input = zm.output<typeof queryFeedback.request>

/** What a query selects, as SQL from its FROM on. */
export function compileFeedbackQuery({ project_id, query, sort_by, offset = 0 }: Input, limit: number) {
  const condition = query && compileExpression(query, feedbackField)
  const sql = `${feedbackOfProject}
${condition ? `WHERE ${condition.sql}` : ''}
${orderBy(sort_by?.length ? sort_by : newestFirst, columnByField, 'id DESC')}
LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  return { sql, params: { ...condition?.params, project_id, limit, offset } }
}

type Compiled = { sql: string; params: QueryParams }

/** How much a query would answer with. */
export async function measureFeedback(store: Store, { sql, params }: Compiled, options: QueryOptions) {
  const Size = z.object({ rows: z.string().transform(Number), bytes: z.string().transform(Number) })
  const text = `SELECT count() AS rows, sum(size_bytes) AS bytes FROM (SELECT size_bytes ${sql})`
  const [size] = await store.query(text, params, Size, options)
  return size ?? { rows: 0, bytes: 0 }
}

export async function listFeedback(store: Store, { sql, params }: Compiled, options: QueryOptions): Promise<FeedbackRow[]> {
  const text = `SELECT id, project_id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload, annotation_ref,
  runnable_ref, call_ref, trigger_ref ${sql}`
  return store.query(text, params, FeedbackRow, options)
}

function feedbackField(name: string, bind: (type: 'String', value: string) => string): FieldSql {
  const path = payloadPath(name)
  if (path) return { type: 'json', sql: `JSONExtractRaw(payload, ${path.map((key) => bind('String', key)).join(', ')})` }
  if (name === 'payload') return { type: 'json', sql: 'payload' }
  if (name === 'created_at') return { type: 'datetime', sql: 'created_at' }
  const column = textColumns.find((each) => each === name)
  if (!column) throw new Error(`The schema let through a field that feedback does not have: ${name}`)
  return { type: 'string', sql: column }
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
