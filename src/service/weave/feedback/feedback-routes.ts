import {
  createFeedback,
  createFeedbackBatch,
  feedbackFields,
  type FeedbackCreated,
  type NewFeedback,
  purgeFeedback,
  queryFeedback,
} from '../../../contract/feedback'
import { parseIdQuery } from '../../../contract/id-query'
import { formatInstant } from '../../../contract/instant'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { readerOfProject, type RequestContext, type Route, route } from '../../http/route'
import type { Store } from '../../store/store'
import { compileFeedbackQuery, deleteFeedback, listFeedback, measureFeedback, storeFeedback } from './feedback-store'

export type FeedbackDeps = { store: Store; clock: () => number; newId: () => string }

const sizeAdvice = "Narrow the 'query', or set a smaller 'limit' and page by 'offset'."

export function feedbackRoutes({ store, clock, newId }: FeedbackDeps): Route[] {
  const create = async (batch: readonly NewFeedback[], context: RequestContext): Promise<FeedbackCreated[]> => {
    for (const { project_id: projectId } of batch) context.requireProject(projectId)
    const now = clock()
    const createdBy = context.user.username
    const rows = batch.map((feedback) => ({ ...feedback, id: feedback.id ?? newId(), createdBy }))
    const [first] = batch
    const reader = first ? readerOfProject(context, first.project_id) : context.reader
    await storeFeedback(store, rows, now, reader)
    const createdAt = formatInstant(BigInt(now) * 1000n)
    return rows.map(({ id, payload }) => ({ id, created_at: createdAt, wb_user_id: createdBy, payload }))
  }

  return [
    route(createFeedback, async (feedback, context) => {
      const [created] = await create([feedback], context)
      if (!created) throw new Error('The stored feedback is missing.')
      return created
    }),

    route(createFeedbackBatch, async ({ batch }, context) => ({ res: await create(batch, context) })),

    route(queryFeedback, async (input, { reader }) => {
      const query = compileFeedbackQuery(input, Math.min(input.limit ?? Infinity, maxResponseRows + 1))
      requireResponseFits(await measureFeedback(store, query, reader), sizeAdvice)
      const rows = await listFeedback(store, query, reader)
      const fields = input.fields?.length ? feedbackFields.filter((field) => input.fields?.includes(field)) : feedbackFields
      return { result: rows.map((row) => Object.fromEntries(fields.map((field) => [field, row[field]]))) }
    }),

    route(purgeFeedback, async ({ project_id: projectId, query }, { reader }) => {
      await deleteFeedback(store, projectId, parseIdQuery(query) ?? [], reader)
      return {}
    }),
  ]
}
