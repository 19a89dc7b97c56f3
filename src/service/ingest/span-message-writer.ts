import type { TurnDeriver } from '../derive/turn-deriver'
import type { Share } from '../lib/share'
import { microsecondsToEngineTime } from '../store/engine-time'
import { type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import { OverloadedError } from './overloaded-error'

/** Lines of the table `span_messages`, and the spans that their messages belong to. */
export type SpanMessages = { bytes: Uint8Array<ArrayBuffer>; spanIdsByProject: ReadonlyMap<string, Iterable<string>> }

const maxMessages = 2000
const maxMessageBytes = 8 * 1024 * 1024

/**
 * Writes the messages that came as log records, and then the inputs and output of their spans, made of all messages that are
 * stored by then. The one made of the most messages counts, so any order of arrival, and any repetition, ends the same.
 */
export class SpanMessageWriter {
  constructor(
    private readonly store: Store,
    private readonly deriver: TurnDeriver,
  ) {}

  /** Resolves when the messages are on disk and readable. Rejects with an `OverloadedError` or a `StoreError`. */
  async write({ bytes, spanIdsByProject }: SpanMessages, user: string): Promise<void> {
    if (spanIdsByProject.size === 0) return
    const projectIds = [...spanIdsByProject.keys()]
    if (!projectIds.every((projectId) => this.deriver.hasCapacity(projectId))) throw new OverloadedError(1)
    const [first = ''] = projectIds
    await this.store.insertLines('span_messages', bytes, { share: { user, projectId: first } })
    const { insertedAt, end } = this.deriver.trackWrite(spanIdsByProject)
    try {
      for (const [projectId, spanIds] of spanIdsByProject) {
        const share: Share = { user, projectId }
        await this.store.command(writePayloads(projectId, [...spanIds], insertedAt), { share })
      }
    } finally {
      end()
    }
    // As in the call writer: the next query may go to another copy of the service.
    if (this.store.isShared) await Promise.all(projectIds.map((projectId) => this.deriver.waitUntilDerived(projectId)))
  }
}

/** Messages beyond the limits are counted instead of shown: this payload is written again with each message that arrives. */
function writePayloads(projectId: string, spanIds: readonly string[], insertedAt: number): Sql {
  return sql`
INSERT INTO calls (project_id, id, message_inputs, message_output, inserted_at)
SELECT project_id, id, if(side = 'inputs', payload, (0, '')), if(side = 'output', payload, (0, '')),
  toDateTime64(${microsecondsToEngineTime(insertedAt)}, 6, 'UTC')
FROM (
  SELECT project_id, id, side, (count(), if(count() = 1 AND any(is_whole) = 1, any(json), concat(
    if(side = 'inputs', '{"messages":[', '{"choices":['),
    arrayStringConcat(arrayMap(each -> tupleElement(each, 2), arraySort(groupArrayIf((number, json), is_shown))), ','), ']',
    if(countIf(NOT is_shown) > 0, concat(',"omitted_count":', toString(countIf(NOT is_shown))), ''), '}'))) AS payload
  FROM (
    SELECT *, row_number() OVER in_order AS number,
      number = 1 OR number <= ${uint64(maxMessages)} AND sum(length(json)) OVER in_order <= ${uint64(maxMessageBytes)} AS is_shown
    FROM (
      SELECT project_id, id, side, time_ns, digest, min(position) AS position, max(is_whole) AS is_whole, any(json) AS json
      FROM span_messages WHERE project_id = ${projectId} AND id IN ${spanIds}
      GROUP BY project_id, id, side, time_ns, digest
    )
    WINDOW in_order AS (PARTITION BY id, side ORDER BY time_ns, position, digest ROWS UNBOUNDED PRECEDING)
  )
  GROUP BY project_id, id, side
)`
}
