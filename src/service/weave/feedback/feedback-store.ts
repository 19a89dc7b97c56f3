import * as z from 'zod/mini'
import {
  type FeedbackField,
  feedbackFields,
  type feedbackSortFields,
  type NewFeedback,
  parsePayloadPath,
  type queryFeedback,
} from '../../../contract/feedback'
import { groupByProject } from '../../lib/group-by-project'
import { requireResponseFits } from '../../http/response-size'
import { JsonText } from '../../lib/json-text'
import { compileExpression } from '../../store/compile-expression'
import type { FieldSql } from '../../store/expression-values'
import { msToEngineTime } from '../../store/engine-time'
import { isNotDeleted } from '../../store/merged-calls'
import { repeatQueueAnswers } from '../../store/queue-tables'
import { limitOffset } from '../../store/limit-offset'
import { orderBy } from '../../store/order-by'
import { count, engineTime } from '../../store/row-types'
import { identifier, joinSql, type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../../store/store'

const newline = 0x0a

/** The payload is JSON already. */
type FeedbackToStore = Omit<NewFeedback, 'payload'> & { id: string; createdBy: string; payload: string }

/** A row as it is inserted, for feedback created at `createdMs` (milliseconds since 1970). */
export function toFeedbackLine(feedback: FeedbackToStore, createdMs: number): string {
  const { payload } = feedback
  const row = {
    project_id: feedback.project_id,
    id: feedback.id,
    weave_ref: feedback.weave_ref,
    feedback_type: feedback.feedback_type,
    creator: feedback.creator ?? null,
    created_at: msToEngineTime(createdMs),
    created_by: feedback.createdBy,
    annotation_ref: feedback.annotation_ref ?? null,
    runnable_ref: feedback.runnable_ref ?? null,
    call_ref: feedback.call_ref ?? null,
    trigger_ref: feedback.trigger_ref ?? null,
    queue_id: feedback.queue_id ?? null,
    payload,
    size_bytes: Buffer.byteLength(payload),
    is_deleted: 0,
    version: 2 ** 48 - createdMs, // the earlier, the greater: of two requests at once the first counts
  }
  return `${JSON.stringify(row)}\n`
}

/** The row in a line of an insert, where the client chose its id. */
export type ChosenId = { line: number; projectId: string; id: string }

const IdRow = z.object({ id: z.string() })

/** Stores feedback, JSON lines, without the lines of `chosen` whose id is stored already: the first stays, also if deleted. */
export async function storeFeedback(
  store: Store,
  lines: Uint8Array<ArrayBuffer>,
  chosen: readonly ChosenId[],
  options: WriteOptions,
): Promise<void> {
  const stored = new Set<number>()
  for (const [projectId, own] of groupByProject(chosen, (each) => each.projectId)) {
    const statement = sql`SELECT DISTINCT id FROM feedback WHERE project_id = ${projectId} AND id IN ${own.map(({ id }) => id)}`
    const rows = await store.query(statement, IdRow, { ...options, lane: 'write' })
    const ids = new Set(rows.map(({ id }) => id))
    for (const { line, id } of own) if (ids.has(id)) stored.add(line)
    if (ids.size > 0) await store.command(repeatQueueAnswers(projectId, [...ids]), options)
  }
  const remaining = stored.size > 0 ? withoutLines(lines, stored) : lines
  if (remaining.length > 0) await store.insertLines('feedback', remaining, options)
}

function withoutLines(lines: Uint8Array<ArrayBuffer>, left: ReadonlySet<number>): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = []
  let start = 0
  for (let line = 0; start < lines.length; line += 1) {
    const end = lines.indexOf(newline, start) + 1
    if (!left.has(line)) kept.push(lines.subarray(start, end))
    start = end
  }
  return Buffer.concat(kept)
}

/** Deletes feedback by id. Unknown ids are ignored. */
export async function deleteFeedback(
  store: Store,
  projectId: string,
  ids: readonly string[],
  options: WriteOptions,
): Promise<void> {
  if (ids.length === 0) return
  // Writes tombstones, rows without content whose version is above every other.
  const statement = sql`INSERT INTO feedback (project_id, id, weave_ref, feedback_type, creator, created_at, created_by, annotation_ref,
  runnable_ref, call_ref, trigger_ref, queue_id, payload, size_bytes, is_deleted, version)
SELECT project_id, id, weave_ref, feedback_type, creator, created_at, created_by, annotation_ref,
  runnable_ref, call_ref, trigger_ref, queue_id, '', 0, 1, bitShiftLeft(toUInt64(1), 60)
FROM feedback FINAL
WHERE project_id = ${projectId} AND is_deleted = 0 AND id IN ${ids}`
  await store.command(statement, options)
}

const nullableText = z.nullable(z.string())

const FeedbackRow = z.object({
  id: z.string(),
  project_id: z.string(),
  weave_ref: z.string(),
  wb_user_id: z.string(),
  creator: nullableText,
  created_at: engineTime,
  feedback_type: z.string(),
  payload: z.pipe(
    z.string(),
    z.transform((text): unknown => new JsonText(text)),
  ),
  annotation_ref: nullableText,
  runnable_ref: nullableText,
  call_ref: nullableText,
  trigger_ref: nullableText,
  queue_id: nullableText,
})
export type FeedbackRow = z.infer<typeof FeedbackRow> & Record<FeedbackField, unknown>

function fromFeedback(projectId: string): Sql {
  const callId = callIdSql(projectId)
  const callIds = sql`SELECT ${callId} FROM feedback WHERE project_id = ${projectId}`
  return sql`FROM (
  SELECT *, created_by AS wb_user_id FROM feedback FINAL
  WHERE project_id = ${projectId} AND is_deleted = 0 AND ${isNotDeleted(callId, projectId, callIds)}
)`
}

/** The id of the call that feedback is for, '' where it is for something else. */
function callIdSql(projectId: string): Sql {
  // The parts of weave:///<entity>/<project>/call/<id>; the engine counts them from 1.
  return sql`if(startsWith(weave_ref, ${`weave:///${projectId}/call/`}), splitByChar('/', weave_ref)[7], '')`
}

const columnByField: Record<(typeof feedbackSortFields)[number], Sql> = {
  id: sql`id`,
  weave_ref: sql`weave_ref`,
  wb_user_id: sql`wb_user_id`,
  creator: sql`creator`,
  created_at: sql`created_at`,
  feedback_type: sql`feedback_type`,
}
const newestFirst = [{ field: 'created_at', direction: 'desc' }] as const

type Input = z.output<typeof queryFeedback.request>

/** A query as SQL, from its FROM on. */
export function compileFeedbackQuery(input: Input, limit: number): Sql {
  const { project_id, sort_by, offset } = input
  return sql`${fromFeedback(project_id)}
${whereOf(input)}
${orderBy(sort_by?.length ? sort_by : newestFirst, columnByField, sql`id DESC`)}
${limitOffset({ limit, offset })}`
}

function whereOf({ query }: Input): Sql {
  return query ? sql`WHERE ${compileExpression(query, toFieldSql)}` : sql``
}

const Size = z.object({ rows: count, bytes: count })

/** The number of rows that a query selects, and the bytes of their payloads. */
export async function measureFeedback(store: Store, query: Sql, options: QueryOptions): Promise<z.infer<typeof Size>> {
  const statement = sql`SELECT count() AS rows, sum(size_bytes) AS bytes FROM (SELECT size_bytes ${query})`
  const [size] = await store.query(statement, Size, options)
  return size ?? { rows: 0, bytes: 0 }
}

const selectedColumns = sql`id, project_id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload, annotation_ref,
  runnable_ref, call_ref, trigger_ref, queue_id`

export async function listFeedback(store: Store, query: Sql, options: QueryOptions): Promise<FeedbackRow[]> {
  return store.query(sql`SELECT ${selectedColumns} ${query}`, FeedbackRow, options)
}

const FeedbackRowWithValues = z.extend(FeedbackRow, { path_values: z.array(z.string()) })

/** The rows with these fields: columns, and paths such as `payload.note`. */
export async function listFeedbackFields(
  store: Store,
  query: Sql,
  fields: readonly string[],
  options: QueryOptions,
): Promise<Record<string, unknown>[]> {
  const columns = feedbackFields.filter((field) => fields.includes(field))
  const paths = fields.filter((field) => parsePayloadPath(field) !== undefined)
  const values = joinSql(
    paths.map((path) => toFieldSql(path).sql),
    ', ',
  )
  const statement = sql`SELECT ${selectedColumns}, CAST([${values}], 'Array(String)') AS path_values ${query}`
  const rows = await store.query(statement, FeedbackRowWithValues, options)
  return rows.map(({ path_values: own, ...row }) =>
    Object.fromEntries([
      ...columns.map((column) => [column, row[column]] as const),
      ...paths.map((path, index) => [path, own[index] ? new JsonText(own[index]) : null] as const),
    ]),
  )
}

/** How many rows a query finds, whatever its limit. */
export async function countFeedback(store: Store, input: Input, options: QueryOptions): Promise<number> {
  const statement = sql`SELECT count() AS count ${fromFeedback(input.project_id)} ${whereOf(input)}`
  const [row] = await store.query(statement, z.object({ count }), options)
  return row?.count ?? 0
}

function toFieldSql(name: string): FieldSql {
  const path = parsePayloadPath(name)
  if (path) {
    const keys = path.map((key) => sql`${key}`)
    return { type: 'json', sql: sql`JSONExtractRaw(payload, ${joinSql(keys, ', ')})` }
  }
  if (name === 'payload') return { type: 'json', sql: sql`payload` }
  if (name === 'created_at') return { type: 'datetime', sql: sql`created_at` }
  const column = textColumns.find((each) => each === name)
  if (!column) throw new Error(`The request schema accepted a field that feedback does not have: ${name}`)
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
  'queue_id',
] as const

/** The feedback for each call that has any, newest first. Throws (422) where it would not fit into memory. */
export async function readFeedbackOfCalls(
  store: Store,
  projectId: string,
  callIds: readonly string[],
  options: QueryOptions,
): Promise<Map<string, FeedbackRow[]>> {
  const prefix = `weave:///${projectId}/call/`
  const query = sql`${fromFeedback(projectId)} WHERE weave_ref IN ${callIds.map((id) => prefix + id)}
${orderBy(newestFirst, columnByField, sql`id DESC`)}`
  requireResponseFits(await measureFeedback(store, query, options), "Set a smaller 'limit' and page by 'offset'.")
  const rowsByCall = new Map<string, FeedbackRow[]>()
  for (const row of await listFeedback(store, query, options)) {
    const callId = row.weave_ref.slice(prefix.length)
    const rows = rowsByCall.get(callId)
    if (rows) rows.push(row)
    else rowsByCall.set(callId, [row])
  }
  return rowsByCall
}
