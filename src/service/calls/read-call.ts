import * as z from 'zod/mini'
import { callColumns, type JsonColumn, jsonColumns } from '../../contract/call-fields'
import type { ReadCall } from '../../contract/call-requests'
import type { Call, PayloadParts } from '../../contract/calls'
import { callsWhere } from '../store/merged-calls'
import { count, flag } from '../store/row-types'
import { identifier, joinSql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { type CallReaders, listCalls } from './list-calls'

type Input = z.output<typeof ReadCall>
type OneCall = { call: Call | null; parts?: PayloadParts }

/** A call, or null where the project has none of this id; with a range, parts of its columns. */
export async function readCall(readers: CallReaders, input: Input, options: QueryOptions): Promise<OneCall> {
  const { project_id: projectId, id, range } = input
  const fields = input.fields?.length ? [...new Set(input.fields)] : jsonColumns
  if (!range) return { call: await readOne(readers, input, fields, options) }
  const call = await readOne(readers, input, ['summary'], options)
  if (!call) return { call }
  const parts = await readParts(readers.store, { projectId, id, fields, ...range }, options)
  return { call: withoutOwnSummary(call), parts }
}

/** The client's own summary is a column like the others, of any size. What the service adds is in no column. */
function withoutOwnSummary(call: Call): Call {
  if (!call.summary) return call
  const { status, latency_ms, trace_name, costs } = call.summary.weave
  return { ...call, summary: { weave: { status, latency_ms, trace_name, ...(costs && { costs }) } } }
}

async function readOne(
  readers: CallReaders,
  { project_id, id, include_costs }: Input,
  fields: readonly JsonColumn[],
  options: QueryOptions,
): Promise<Call | null> {
  const columns = callColumns.filter((column) => !isJsonColumn(column) || fields.includes(column))
  for await (const [call] of listCalls(readers, { project_id, filter: { call_ids: [id] }, columns, include_costs }, options)) {
    return call ?? null
  }
  return null
}

function isJsonColumn(column: string): column is JsonColumn {
  return jsonColumns.some((each) => each === column)
}

type Range = { projectId: string; id: string; fields: readonly JsonColumn[]; from: number; to: number }

const PartsRow = z.object({ texts: z.array(z.string()), lengths: z.array(count), missing: z.array(flag) })

/** The engine cuts the texts: a text of 30 MB never comes into this process as a whole. */
async function readParts(store: Store, { projectId, id, fields, from, to }: Range, options: QueryOptions): Promise<PayloadParts> {
  const columns = fields.map(identifier)
  // substringUTF8() and lengthUTF8() count code points, and the first one is 1.
  const texts = columns.map((column) => sql`substringUTF8(${column}, ${uint64(from + 1)}, ${uint64(to - from)})`)
  const lengths = columns.map((column) => sql`lengthUTF8(${column})`)
  const missing = columns.map((column) => sql`${column} IN ('', 'null')`)
  const [row] = await store.query(
    sql`SELECT [${joinSql(texts, ', ')}] AS texts, [${joinSql(lengths, ', ')}] AS lengths, [${joinSql(missing, ', ')}] AS missing
      FROM ${callsWhere(projectId, sql`id = ${id}`)} WHERE started_at IS NOT NULL`,
    PartsRow,
    options,
  )
  const parts = fields.map((field, index): [string, PayloadParts[string]] => {
    const length = row?.lengths[index] ?? 0
    if (row?.missing[index] ?? true) return [field, null]
    return [field, { text: row?.texts[index] ?? '', from: Math.min(from, length), to: Math.min(to, length), length }]
  })
  return Object.fromEntries(parts)
}
