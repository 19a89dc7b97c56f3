import {
  countField,
  createFeedback,
  createFeedbackBatch,
  feedbackFields,
  purgeFeedback,
  queryFeedback,
  replaceFeedback,
} from '../../../contract/feedback'
import { parseIdQuery } from '../../../contract/id-query'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { type Preparation, type Preparer, readResult } from '../../http/prepare/preparation'
import { largeBodyRoute, readerOfProject, type Route, route } from '../../http/route'
import type { User } from '../../http/user'
import type { Store } from '../../store/store'
import {
  compileFeedbackQuery,
  countFeedback,
  deleteFeedback,
  listFeedbackFields,
  measureFeedback,
  storeFeedback,
} from './feedback-store'
import { prepareFeedback, prepareFeedbackBatch, prepareFeedbackReplacement, type PreparedFeedback } from './prepare-feedback'

export type FeedbackDeps = { store: Store; clock: () => number; preparer: Preparer }

const sizeAdvice = "Narrow the 'query', or set a smaller 'limit' and page by 'offset'."

export function feedbackRoutes({ store, clock, preparer }: FeedbackDeps): Route[] {
  const create = (
    endpoint: typeof createFeedback | typeof createFeedbackBatch | typeof replaceFeedback,
    preparation: Preparation<{ user: User; createdMs: number }, never, PreparedFeedback>,
  ) =>
    largeBodyRoute(endpoint, async ({ body }, context) => {
      const prepared = preparer.prepare(preparation, body, { user: context.user, createdMs: clock() }, context)
      const { projectId = '', lines, chosen, response, replacedId } = await readResult(prepared)
      const reader = readerOfProject(context, projectId)
      await storeFeedback(store, lines, chosen, reader)
      // Afterwards: a service that ends in between leaves both, not none.
      if (replacedId !== undefined) await deleteFeedback(store, projectId, [replacedId], reader)
      return { kind: 'json-text', text: response, schema: endpoint.response }
    })

  return [
    create(createFeedback, prepareFeedback),
    create(createFeedbackBatch, prepareFeedbackBatch),
    create(replaceFeedback, prepareFeedbackReplacement),

    route(queryFeedback, async (input, { reader }) => {
      const fields: readonly string[] = input.fields?.length ? input.fields : feedbackFields
      if (fields.includes(countField)) return { result: [{ [countField]: await countFeedback(store, input, reader) }] }
      const query = compileFeedbackQuery(input, Math.min(input.limit ?? Infinity, maxResponseRows + 1))
      requireResponseFits(await measureFeedback(store, query, reader), sizeAdvice)
      return { result: await listFeedbackFields(store, query, fields, reader) }
    }),

    route(purgeFeedback, async ({ project_id: projectId, query }, { reader }) => {
      await deleteFeedback(store, projectId, parseIdQuery(query) ?? [], reader)
      return {}
    }),
  ]
}
