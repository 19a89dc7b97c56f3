import * as z from 'zod/mini'

/** What the store knows of a call that has a thread: all parts merged, `all_...` keeping whatever was said. */
export const ThreadCall = z.object({
  id: z.string(),
  all_thread_ids: z.array(z.string()),
  last_thread_id: z.string(),
  all_turn_ids: z.array(z.string()),
  last_turn_id: z.string(),
  least_start: z.string(),
  greatest_end: z.nullable(z.string()),
  is_any_span: z.number(),
  is_any_conversation: z.number(),
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

export function turnRow(
  projectId: string,
  { id, least_start, greatest_end }: Pick<ThreadCall, 'id' | 'least_start' | 'greatest_end'>,
  threadId: string,
  isTurn: boolean,
): TurnRow {
  return {
    project_id: projectId,
    thread_id: threadId,
    id,
    started_at: least_start,
    ended_at: greatest_end,
    is_retracted: isTurn ? 0 : 1,
  }
}
