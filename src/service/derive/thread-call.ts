import * as z from 'zod/mini'
import { flag } from '../store/row-types'

/**
 * A call with a thread, merged from all its parts. Parts may contradict each other: `all_...` are the values of every part,
 * and the highest `thread_id` and `turn_id` count. Times are the engine's text, because they are written back.
 */
export const ThreadCall = z.object({
  project_id: z.string(),
  id: z.string(),
  all_thread_ids: z.array(z.string()),
  max_thread_id: z.string(),
  all_turn_ids: z.array(z.string()),
  max_turn_id: z.string(),
  min_start: z.string(),
  max_end: z.nullable(z.string()),
  is_deleted: flag,
  is_any_span: flag,
  is_any_conversation: flag,
  all_trace_ids: z.array(z.string()),
  all_parent_ids: z.array(z.string()),
})
export type ThreadCall = z.infer<typeof ThreadCall>

/** A row of `turns`. */
export type TurnRow = {
  project_id: string
  thread_id: string
  id: string
  started_at: string
  ended_at: string | null
  is_retracted: 0 | 1
}

export function toTurnRow(
  call: Pick<ThreadCall, 'project_id' | 'id' | 'min_start' | 'max_end'>,
  threadId: string,
  isTurn: boolean,
): TurnRow {
  return {
    project_id: call.project_id,
    thread_id: threadId,
    id: call.id,
    started_at: call.min_start,
    ended_at: call.max_end,
    is_retracted: isTurn ? 0 : 1,
  }
}
