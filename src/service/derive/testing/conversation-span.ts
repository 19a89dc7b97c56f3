import { formatInstant } from '../../../contract/instant'
import type { CallRow } from '../../ingest/call-row'

export const toSpanId = (index: number) => index.toString(16).padStart(16, '0')
export const toTraceId = (index: number) => index.toString(16).padStart(32, '0')
export const toInstant = (second: number) => formatInstant(1_790_000_000_000_000n + BigInt(second) * 1_000_001n)

/** A span of a conversation with the thread 't'. */
export function conversationSpan(
  projectId: string,
  index: number,
  parent: number | undefined,
  more: Partial<CallRow> = {},
): CallRow {
  return {
    project_id: projectId,
    is_span: true,
    is_conversation: true,
    id: toSpanId(index),
    trace_id: toTraceId(0),
    parent_id: parent === undefined ? undefined : toSpanId(parent),
    thread_id: 't',
    op_name: 'chat',
    started_at: toInstant(index),
    ended_at: toInstant(index + 1),
    ...more,
  }
}
