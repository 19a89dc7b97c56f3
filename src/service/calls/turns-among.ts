import * as z from 'zod/mini'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import type { TurnDeriver } from '../derive/turn-deriver'
import type { ReadCallRow } from './call-row-schema'

/**
 * Which of the calls are turns although only their place says so: spans of conversations. What lies below such a turn is
 * not told: finding its topmost span takes the whole trace, and the thread says where it belongs.
 */
export async function turnsAmong(
  { store, summary }: { store: Store; summary: Pick<TurnDeriver, 'flush'> },
  projectId: string,
  rows: readonly Pick<ReadCallRow, 'id' | 'thread_id' | 'is_conversation'>[],
  options: QueryOptions,
): Promise<Set<string>> {
  const spans = rows.filter(({ is_conversation: isConversation }) => isConversation === 1)
  if (spans.length === 0) return new Set()
  await summary.flush(projectId)
  const threadIds = [...new Set(spans.map(({ thread_id: threadId }) => threadId))]
  const turns = await store.query(
    sql`SELECT id FROM turns FINAL
      WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND id IN ${spans.map(({ id }) => id)} AND is_retracted = 0`,
    z.object({ id: z.string() }),
    options,
  )
  return new Set(turns.map(({ id }) => id))
}
