import { createFeedback, createFeedbackBatch, feedbackFields, purgeFeedback, queryFeedback } from '../../../contract/feedback'
import { parseIdQuery } from '../../../contract/id-query'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { type Preparation, type Preparer, readResult } from '../../http/prepare/preparation'
import { largeBodyRoute, readerOfProject, type Route, route } from '../../http/route'
import type { User } from '../../http/user'
import type { Store } from '../../store/store'
import { compileFeedbackQuery, deleteFeedback, listFeedback, measureFeedback, storeFeedback } from './feedback-store'
import { prepareFeedback, prepareFeedbackBatch, type PreparedFeedback } from './prepare-feedback'

export type FeedbackDeps = { store: Store; clock: () => number; preparer: Preparer }

const sizeAdvice = "Narrow the 'query', or set a smaller 'limit' and page by 'offset'."

export function feedbackRoutes({ store, clock, preparer }: FeedbackDeps): Route[] {
  const create = (
    endpoint: typeof createFeedback | typeof createFeedbackBatch,
    preparation: Preparation<{ user: User; createdMs: number }, never, PreparedFeedback>,
  ) =>
    largeBodyRoute(endpoint, async ({ body }, context) => {
      const prepared = preparer.prepare(preparation, body, { user: context.user, createdMs: clock() }, context)
      const { projectId, lines, chosen, response } = await readResult(prepared)
      await storeFeedback(store, lines, chosen, readerOfProject(context, projectId ?? ''))
      return { kind: 'json-text', text: response, schema: endpoint.response }
    })

  return [
    create(createFeedback, prepareFeedback),
    create(createFeedbackBatch, prepareFeedbackBatch),

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
