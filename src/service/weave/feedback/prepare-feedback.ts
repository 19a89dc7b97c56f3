import { createFeedback, createFeedbackBatch, type NewFeedback } from '../../../contract/feedback'
import { formatInstant } from '../../../contract/instant'
import { parseBody } from '../../http/incoming-request'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { type ChosenId, toFeedbackLine } from './feedback-store'

/** `createdMs`: milliseconds since 1970. */
type FeedbackContext = { user: User; createdMs: number }

/** Rows to insert, the project of the first, and the response as JSON. */
export type PreparedFeedback = {
  projectId: string | undefined
  lines: Uint8Array<ArrayBuffer>
  /** The lines whose id the client chose. */
  chosen: ChosenId[]
  response: Uint8Array<ArrayBuffer>
}

export const prepareFeedback = preparation('feedback', (body, context: FeedbackContext, { newId }): PreparedFeedback => {
  const { created, ...rows } = serialiseFeedback([parseBody(createFeedback, body)], context, newId)
  return { ...rows, response: Buffer.from(created.join('')) }
})

export const prepareFeedbackBatch = preparation(
  'feedback batch',
  (body, context: FeedbackContext, { newId }): PreparedFeedback => {
    const { created, ...rows } = serialiseFeedback(parseBody(createFeedbackBatch, body).batch, context, newId)
    return { ...rows, response: Buffer.from(`{"res":[${created.join(',')}]}`) }
  },
)

function serialiseFeedback(batch: readonly NewFeedback[], { user, createdMs }: FeedbackContext, newId: () => string) {
  for (const { project_id: projectId } of batch) requireProject(user, projectId)
  const createdAt = formatInstant(BigInt(createdMs) * 1000n)
  const rows = batch.map((feedback) => ({
    ...feedback,
    id: feedback.id ?? newId(),
    isNewId: feedback.id === undefined,
    createdBy: user.username,
  }))
  // A batch may name an id twice.
  const firstRows = [...new Map(rows.toReversed().map((row) => [`${row.project_id} ${row.id}`, row])).values()]
  return {
    projectId: batch[0]?.project_id,
    lines: Buffer.from(firstRows.map((row) => toFeedbackLine(row, createdMs)).join('')),
    chosen: firstRows.flatMap((row, line) => (row.isNewId ? [] : [{ line, projectId: row.project_id, id: row.id }])),
    created: rows.map(({ id, payload }) => JSON.stringify({ id, created_at: createdAt, wb_user_id: user.username, payload })),
  }
}
