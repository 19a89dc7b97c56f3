import type { QueryClient } from '@tanstack/react-query'
import type { Connection } from '../../client/connection'
import { untilAborted } from '../../table/view/export-rows'
import type { ThreadTurn } from '../turns/thread-turn'
import { describeMissing } from './describe-missing'
import { readThread } from './read-thread'
import type { ExportCounts } from './thread-content'
import { createJsonWriter } from './thread-json'
import { createMarkdownWriter } from './thread-markdown'
import { createOtlpWriter } from './thread-otlp'
import { writeThread } from './write-thread'

const writers = { json: createJsonWriter, markdown: createMarkdownWriter, otlp: createOtlpWriter }
export type ThreadFormat = keyof typeof writers

type Options = {
  format: ThreadFormat
  threadId: string
  turns: readonly ThreadTurn[]
  connection: Connection
  queryClient: QueryClient
  signal: AbortSignal
  exportedAt: string
  onProgress: (counts: ExportCounts, isWaiting: boolean) => void
}

/** The parts of the file, and what is missing in it. Without parts where it was stopped. */
export async function exportThread(options: Options): Promise<{ counts: ExportCounts; blobs?: Blob[]; missing: string }> {
  const { format, threadId, turns, connection, queryClient, signal, exportedAt, onProgress } = options
  const counts: ExportCounts = { turns: 0, calls: 0, unlistedTurns: 0, unreadCalls: 0, unreadValues: 0 }
  let isWaiting = false
  const show = () => onProgress({ ...counts }, isWaiting)
  const onWaiting = (next: boolean) => {
    if (next === isWaiting) return
    isWaiting = next
    show()
  }
  const thread = { threadId, projectId: connection.projectId, exportedAt, turnCount: turns.length }
  const parts = readThread({ turns, connection, queryClient, signal, counts, onWaiting, onCalls: show })
  const blobs: Blob[] = []
  for await (const text of untilAborted(writeThread(writers[format](), thread, parts, counts), signal)) {
    blobs.push(new Blob([text]))
  }
  return signal.aborted ? { counts, missing: '' } : { counts, blobs, missing: describeMissing(counts) }
}
