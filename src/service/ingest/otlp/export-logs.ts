import { forEachPart } from '../../http/prepare/preparation'
import type { RequestContext } from '../../http/route'
import type { SpanMessageWriter } from '../span-message-writer'
import { endExport, type ExportResult } from './export-spans'
import type { LogPortion, LogsEnd } from './prepare-logs'
import { RejectedItems } from './rejected-items'

export type ExportLogsDeps = {
  messageWriter: SpanMessageWriter
  onDropped: (username: string, count: number) => void
  onRejected: (username: string, place: string, reason: string) => void
}

/**
 * Stores the messages of spans among the records and returns those that cannot be stored. Programs send all their logs to
 * one address, so other records are no error: they are counted and dropped.
 */
export async function exportLogs(
  portions: AsyncGenerator<LogPortion, LogsEnd, undefined>,
  { user }: Pick<RequestContext, 'user'>,
  { messageWriter, onDropped, onRejected }: ExportLogsDeps,
): Promise<ExportResult> {
  const rejected = new RejectedItems('log records')
  const end = await forEachPart(portions, async (portion) => {
    for (const { place, reason } of portion.rejected) {
      rejected.add(reason, place)
      onRejected(user.username, place, reason)
    }
    await messageWriter.write(portion, user.username)
  })
  if (end.droppedCount > 0) onDropped(user.username, end.droppedCount)
  return endExport(rejected, end)
}
