import {
  createFeedback,
  createFeedbackBatch,
  maxPayloadBytes,
  type NewFeedback,
  replaceFeedback,
} from '../../../contract/feedback'
import { formatInstant } from '../../../contract/instant'
import { HttpError } from '../../http/http-error'
import { JsonText, stringifyWithJsonText } from '../../lib/json-text'
import { toStoredJson } from '../../lib/stored-json'
import { parseBody } from '../../http/incoming-request'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { describeReaction } from './describe-reaction'
import { type ChosenId, toFeedbackLine } from './feedback-store'
import { type Annotation, readAnnotation } from './read-annotation'

/**
 * When feedback is created, in milliseconds since 1970, and when an answer in a queue is: never before an earlier one, because
 * of several answers of a person the last one counts.
 */
export type FeedbackContext = { user: User; createdMs: number; answeredMs: number }

/** A queue that feedback names. `loc`: where the feedback is. */
export type FeedbackQueue = { projectId: string; queueId: string; loc: readonly string[] }

/** Rows to insert, the project of the first, and the response as JSON. */
export type PreparedFeedback = {
  projectId: string | undefined
  lines: Uint8Array<ArrayBuffer>
  /** The lines whose id the client chose. */
  chosen: ChosenId[]
  /** What the store must be asked about before. */
  annotations: Annotation[]
  queues: FeedbackQueue[]
  response: Uint8Array<ArrayBuffer>
  /** The feedback that these rows replace. */
  replacedId?: string
}

export const prepareFeedback = preparation('feedback', (body, context: FeedbackContext, { newId }): PreparedFeedback => {
  const { created, ...rows } = serialiseFeedback([parseBody(createFeedback, body)], context, newId)
  return { ...rows, response: Buffer.from(created.join('')) }
})

export const prepareFeedbackReplacement = preparation(
  'feedback replacement',
  (body, context: FeedbackContext, { newId }): PreparedFeedback => {
    const { feedback_id: replacedId, ...feedback } = parseBody(replaceFeedback, body)
    // The id of deleted feedback stays deleted.
    const id = feedback.id === replacedId ? undefined : feedback.id
    const { created, ...rows } = serialiseFeedback([{ ...feedback, id }], context, newId)
    return { ...rows, response: Buffer.from(created.join('')), replacedId }
  },
)

export const prepareFeedbackBatch = preparation(
  'feedback batch',
  (body, context: FeedbackContext, { newId }): PreparedFeedback => {
    const { batch } = parseBody(createFeedbackBatch, body)
    const { created, ...rows } = serialiseFeedback(batch, context, newId, ['batch'])
    return { ...rows, response: Buffer.from(`{"res":[${created.join(',')}]}`) }
  },
)

/** `listPath`: where the list is in the body; without it the body is the only feedback. */
function serialiseFeedback(
  batch: readonly NewFeedback[],
  { user, createdMs, answeredMs }: FeedbackContext,
  newId: () => string,
  listPath?: string[],
) {
  for (const { project_id: projectId } of batch) requireProject(user, projectId)
  const toLoc = (index: number) => ['body', ...(listPath ? [...listPath, String(index)] : [])]
  const annotations = batch.flatMap((feedback, index) => readAnnotation(feedback, toLoc(index)) ?? [])
  const queues = batch.flatMap(({ project_id: projectId, queue_id: queueId }, index) =>
    queueId === undefined ? [] : [{ projectId, queueId, loc: toLoc(index) }],
  )
  const payloads = batch.map((feedback, index) => {
    const loc = [...toLoc(index), 'payload']
    return toPayloadText(withReactionNames(feedback, loc), loc)
  })
  const toTimeMs = ({ queue_id: queueId }: Pick<NewFeedback, 'queue_id'>) => (queueId === undefined ? createdMs : answeredMs)
  const rows = batch.map((feedback, index) => ({
    ...feedback,
    payload: payloads[index] ?? '',
    id: feedback.id ?? newId(),
    isNewId: feedback.id === undefined,
    createdBy: user.username,
  }))
  // A batch may name an id twice.
  const firstRows = [...new Map(rows.toReversed().map((row) => [`${row.project_id} ${row.id}`, row])).values()]
  return {
    annotations,
    queues,
    projectId: batch[0]?.project_id,
    lines: Buffer.from(firstRows.map((row) => toFeedbackLine(row, toTimeMs(row))).join('')),
    chosen: firstRows.flatMap((row, line) => (row.isNewId ? [] : [{ line, projectId: row.project_id, id: row.id }])),
    created: rows.map((row) =>
      stringifyWithJsonText({
        id: row.id,
        created_at: formatInstant(BigInt(toTimeMs(row)) * 1000n),
        wb_user_id: user.username,
        payload: new JsonText(row.payload),
      }),
    ),
  }
}

const reactionType = 'wandb.reaction.1'

/** The payload; that of a reaction with the names of its emoji, as W&B Weave's server adds them. */
function withReactionNames({ feedback_type: type, payload }: NewFeedback, loc: string[]): NewFeedback['payload'] {
  if (type !== reactionType) return payload
  const { emoji } = payload
  const names = typeof emoji === 'string' ? describeReaction(emoji) : undefined
  if (names) return { ...payload, ...names }
  const msg = `The payload of ${reactionType} needs 'emoji' with exactly one emoji.`
  throw new HttpError('invalid', { loc: [...loc, 'emoji'], msg, type: 'value_error' })
}

function toPayloadText(payload: NewFeedback['payload'], loc: string[]): string {
  const text = toStoredJson(payload)
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxPayloadBytes) return text
  const msg = `The payload is too large: ${bytes} bytes of JSON. At most ${maxPayloadBytes} bytes (1 MiB).`
  throw new HttpError('invalid', { loc, msg, type: 'too_long' })
}
