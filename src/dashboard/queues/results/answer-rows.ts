import type * as z from 'zod/mini'
import { type QueueResults, readQueueResults } from '../../../contract/queue-results'
import type { Queue } from '../../../contract/queues'
import type { ReceivedObject } from '../../../contract/received-objects'
import { ApiError } from '../../client/api-error'
import type { Connection } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import { retryFailed } from '../../client/retry-schedule'
import type { ExportValue } from '../../table/column'

/** What the references of scorers lead to, where that is known. */
export type VersionByRef = ReadonlyMap<string, ReceivedObject>

/** One answer that counts, as it is exported. */
export type AnswerRow = {
  queue_id: string
  item_id: string
  call_id: string
  call_ref: string
  scorer: string
  /** `v2`; null where the service does not number versions. The digest is in `scorer_ref`. */
  scorer_version: string | null
  scorer_ref: string
  annotator: string
  value: unknown
  is_disagreement: boolean
  answer_count: number
  answered_at: string
  feedback_id: string
}

export const answerColumns: readonly (keyof AnswerRow)[] = [
  'queue_id',
  'item_id',
  'call_id',
  'call_ref',
  'scorer',
  'scorer_version',
  'scorer_ref',
  'annotator',
  'value',
  'is_disagreement',
  'answer_count',
  'answered_at',
  'feedback_id',
]

/** Items of one request: about 5,000 answers. Fewer where their texts would be too long for one response. */
const maxItemsPerRequest = 500

const samePage = 'This service sends the first answers again, whatever page is asked for: it ignores after_call_id.'

export type ExportOptions = {
  connection: Connection
  signal: AbortSignal
  /** Whether a request that failed is sent again. */
  onFailure?: (error: Error) => boolean
}

/** All answers of a queue, in parts. */
export async function* readAnswers(
  queue: Pick<Queue, 'id' | 'project_id'>,
  versionByRef: VersionByRef,
  { connection, signal, onFailure }: ExportOptions,
): AsyncGenerator<AnswerRow[]> {
  let limit = maxItemsPerRequest
  let afterCallId: string | undefined = ''
  let firstCallId: string | undefined
  while (afterCallId !== undefined) {
    const input: z.input<typeof readQueueResults.request> = {
      queue_id: queue.id,
      project_id: queue.project_id,
      limit,
      // People go on judging meanwhile: by offset an item that moves would be missing, or be there twice.
      after_call_id: afterCallId,
    }
    const read = () => fetchJson(readQueueResults, input, { connection, signal })
    const items = await retryFailed(read, { signal, onFailure }).then(
      (results) => results.items,
      (error: unknown) => {
        if (limit === 1 || !isTooLarge(error)) throw error
      },
    )
    if (items) {
      if (firstCallId !== undefined && items[0]?.call_id === firstCallId) throw new Error(samePage)
      firstCallId = items[0]?.call_id
      yield items.flatMap((item) => toAnswerRows(queue, item, versionByRef))
      // A service that sends more than it was asked for knows no pages: these are all.
      afterCallId = items.length === limit ? items.at(-1)?.call_id : undefined
    } else limit = Math.ceil(limit / 2)
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && error.problems.some(({ type }) => type === 'answer_too_large')
}

export function toAnswerRows(
  { id, project_id: projectId }: Pick<Queue, 'id' | 'project_id'>,
  { item_id, call_id, disagreements, answers }: QueueResults['items'][number],
  versionByRef: VersionByRef,
): AnswerRow[] {
  return answers.map((answer) => ({
    queue_id: id,
    item_id,
    call_id,
    call_ref: `weave:///${projectId}/call/${call_id}`,
    scorer: answer.scorer,
    scorer_version: toVersionNumber(versionByRef.get(answer.annotation_ref)),
    scorer_ref: answer.annotation_ref,
    annotator: answer.annotator,
    value: answer.value,
    is_disagreement: disagreements.includes(answer.scorer),
    answer_count: answer.answer_count,
    answered_at: answer.created_at,
    feedback_id: answer.feedback_id,
  }))
}

function toVersionNumber(version: ReceivedObject | undefined): string | null {
  return version && version.version_index !== null ? `v${version.version_index}` : null
}

/** A value for a cell: lists and objects as JSON. */
export function toCell(value: unknown): ExportValue {
  if (value === null || value === undefined) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value)
}
