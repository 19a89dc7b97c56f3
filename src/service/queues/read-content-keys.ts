import * as z from 'zod/mini'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const PartRow = z.object({ queue_id: z.string(), part: z.string(), figures: z.string() })

/**
 * For each queue a text that is another one after its items, what people did with them, or, with `hasAnswers`, their answers
 * have changed: what was worked out before need not be worked out again. Read it before the content: then a change in between
 * is seen the next time. Sums beside the counts, because the engine merges rows of the same key.
 */
export async function readContentKeys(
  store: Store,
  projectId: string,
  queueIds: readonly string[],
  options: QueryOptions,
  { hasAnswers = false }: { hasAnswers?: boolean } = {},
): Promise<Map<string, string>> {
  const isOfQueues = sql`project_id = ${projectId} AND queue_id IN ${queueIds}`
  const answers = sql`UNION ALL SELECT queue_id, 'answers', concat(toString(count()), ' ', toString(sum(version)))
FROM queue_answers WHERE ${isOfQueues} GROUP BY queue_id`
  // Of results leases are no part.
  const isOfMarks = hasAnswers ? sql`AND state IN ('completed', 'skipped', 'resumed')` : sql``
  // Marks are only ever added.
  const statement = sql`SELECT queue_id, 'items' AS part, concat(toString(count()), ' ', toString(sum(version))) AS figures
FROM queue_items WHERE ${isOfQueues} GROUP BY queue_id
UNION ALL SELECT queue_id, 'marks', toString(count())
FROM queue_marks WHERE ${isOfQueues} ${isOfMarks} GROUP BY queue_id
UNION ALL SELECT '', 'deleted calls', concat(toString(count()), ' ', toString(sum(cityHash64(id))))
FROM deleted_calls WHERE project_id = ${projectId}
${hasAnswers ? answers : sql``}`
  const rows = await store.query(statement, PartRow, options)
  const ofProject = rows.filter(({ queue_id: id }) => id === '').map(({ figures }) => figures)
  return new Map(
    queueIds.map((id) => {
      const own = rows.filter((row) => row.queue_id === id).map(({ part, figures }) => `${part} ${figures}`)
      return [id, [...ofProject, ...own.toSorted()].join(', ')]
    }),
  )
}
