import type * as z from 'zod/mini'
import { type QueueResults, readQueueResults } from '../../../contract/queue-results'
import type { Queue } from '../../../contract/queues'
import type { ReceivedObject } from '../../../contract/received-objects'
import { ApiError } from '../../client/api-error'
import type { Connection } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
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

/** All answers of a queue, in parts. */
export async function* readAnswers(
  queue: Pick<Queue, 'id' | 'project_id'>,
  versionByRef: VersionByRef,
  { connection, signal }: { connection: Connection; signal: AbortSignal },
): AsyncGenerator<AnswerRow[]> {
  let limit = maxItemsPerRequest
  let afterCallId: string | undefined = ''
  while (afterCallId !== undefined) {
    const input: z.input<typeof readQueueResults.request> = {
      queue_id: queue.id,
      project_id: queue.project_id,
      limit,
      // People go on judging meanwhile: by offset an item that moves would be missing, or be there twice.
      after_call_id: afterCallId,
    }
    const items = await fetchJson(readQueueResults, input, { connection, signal }).then(
      (results) => results.items,
      (error: unknown) => {
        if (limit === 1 || !isTooLarge(error)) throw error
      },
    )
    if (items) {
      yield items.flatMap((item) => toAnswerRows(queue, item, versionByRef))
      afterCallId = items.length < limit ? undefined : items.at(-1)?.call_id
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
