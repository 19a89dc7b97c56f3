import { createFeedback, createFeedbackBatch, type NewFeedback } from '../../../contract/feedback'
import { formatInstant } from '../../../contract/instant'
import { parseBody } from '../../http/incoming-request'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { toFeedbackLine } from './feedback-store'

/** `createdMs`: milliseconds since 1970. */
type FeedbackContext = { user: User; createdMs: number }

/** Rows to insert, the project of the first, and the response as JSON. */
export type PreparedFeedback = {
  projectId: string | undefined
  lines: Uint8Array<ArrayBuffer>
  response: Uint8Array<ArrayBuffer>
}

export const prepareFeedback = preparation('feedback', (body, context: FeedbackContext, { newId }): PreparedFeedback => {
  const { projectId, lines, created } = serialiseFeedback([parseBody(createFeedback, body)], context, newId)
  return { projectId, lines, response: Buffer.from(created.join('')) }
})

export const prepareFeedbackBatch = preparation(
  'feedback batch',
  (body, context: FeedbackContext, { newId }): PreparedFeedback => {
    const { projectId, lines, created } = serialiseFeedback(parseBody(createFeedbackBatch, body).batch, context, newId)
    return { projectId, lines, response: Buffer.from(`{"res":[${created.join(',')}]}`) }
  },
)

function serialiseFeedback(batch: readonly NewFeedback[], { user, createdMs }: FeedbackContext, newId: () => string) {
  for (const { project_id: projectId } of batch) requireProject(user, projectId)
  const createdAt = formatInstant(BigInt(createdMs) * 1000n)
  const rows = batch.map((feedback) => ({ ...feedback, id: feedback.id ?? newId(), createdBy: user.username }))
  return {
    projectId: batch[0]?.project_id,
    lines: Buffer.from(rows.map((row) => toFeedbackLine(row, createdMs)).join('')),
    created: rows.map(({ id, payload }) => JSON.stringify({ id, created_at: createdAt, wb_user_id: user.username, payload })),
  }
}
