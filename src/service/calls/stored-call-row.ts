import * as z from 'zod/mini'
import { engineTime, flag, nullableEngineTime, textOrNull } from '../store/row-types'

/** A call merged from its parts. Columns that were not selected are missing. */
export const MergedCallRow = z.object({
  id: z.string(),
  project_id: z.string(),
  op_name: z.string(),
  trace_id: z.string(),
  started_at: engineTime,
  ended_at: z.optional(nullableEngineTime),
  exception: z.optional(z.nullable(z.string())),
  display_name: z.optional(z.nullable(z.string())),
  parent_id: z.optional(textOrNull),
  thread_id: z.optional(textOrNull),
  turn_id: z.optional(textOrNull),
  wb_user_id: z.optional(textOrNull),
  // JSON stays text: its length decides how many calls are read at once.
  attributes: z.optional(z.string()),
  inputs: z.optional(z.string()),
  output: z.optional(z.string()),
  summary: z.optional(z.string()),
  provider: z.optional(textOrNull),
  is_span: z.optional(flag),
  usage_sender: z.optional(z.array(z.string())),
})
export type MergedCallRow = z.infer<typeof MergedCallRow>

export const StoredCallRow = z.extend(MergedCallRow, {
  started_at: nullableEngineTime,
  is_deleted: flag,
  has_rare_fields: flag,
})
/** A call or a part of one. */
export type StoredCallRow = z.infer<typeof StoredCallRow>
