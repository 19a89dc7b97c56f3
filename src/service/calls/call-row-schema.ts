import * as z from 'zod/mini'
import { type CallColumn, callColumns, jsonColumns, type UnstoredColumn, unstoredColumns } from '../../contract/call-fields'
import { identifier, joinSql, type Sql, sql } from '../store/sql'

/** What a statement that reads calls selects, as the store gives it. What was not selected is not there. */
export const ReadCallRow = z.object({
  id: z.string(),
  project_id: z.string(),
  op_name: z.string(),
  trace_id: z.string(),
  started_at: z.string(),
  ended_at: z.nullable(z.string()),
  exception: z.nullable(z.string()),
  display_name: z.nullable(z.string()),
  thread_id: z.string(),
  is_conversation: z.number(),
  parent_id: z.optional(z.string()),
  turn_id: z.optional(z.string()),
  wb_user_id: z.optional(z.string()),
  attributes: z.optional(z.string()),
  inputs: z.optional(z.string()),
  output: z.optional(z.string()),
  summary: z.optional(z.string()),
  provider: z.optional(z.string()),
})
export type ReadCallRow = z.infer<typeof ReadCallRow>

// Narrow, and needed for the status, the name and the turn of any call.
const always = sql`id, project_id, op_name, trace_id, started_at, ended_at, exception, display_name, thread_id, is_conversation`

/** Under which names senders say whose model a call used. */
export const providerSql = sql`coalesce(nullIf(JSONExtractString(attributes, 'provider'), ''),
  nullIf(JSONExtractString(attributes, 'gen_ai.provider.name'), ''), JSONExtractString(attributes, 'gen_ai.system')) AS provider`

export type Selection = { columns: ReadonlySet<CallColumn>; unkept: readonly UnstoredColumn[]; hasCosts: boolean }

const alwaysRead = ['id', 'project_id', 'op_name', 'trace_id', 'started_at'] as const

/** Which columns are answered with: those named, or all. Costs are part of the summary. */
export function selectionOf(names: readonly string[] | undefined, hasCosts: boolean): Selection {
  if (!names?.length) return { columns: new Set(callColumns), unkept: [], hasCosts }
  const wanted = new Set(names.map((name) => jsonColumns.find((column) => name.startsWith(`${column}.`)) ?? name))
  if (hasCosts) wanted.add('summary')
  const columns = callColumns.filter((column) => wanted.has(column))
  return {
    columns: new Set([...alwaysRead, ...columns]),
    unkept: unstoredColumns.filter((column) => wanted.has(column)),
    hasCosts,
  }
}

/** The list of a SELECT over merged calls. */
export function selectList({ columns, hasCosts }: Selection): Sql {
  const more = (['parent_id', 'turn_id', 'wb_user_id', ...jsonColumns] as const).filter((column) => columns.has(column))
  return joinSql([always, ...more.map((name) => identifier(name)), ...(hasCosts ? [providerSql] : [])], ', ')
}
