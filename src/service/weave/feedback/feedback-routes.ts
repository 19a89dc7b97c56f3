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
import { HttpError } from '../../http/http-error'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { type Preparation, type Preparer, readResult } from '../../http/prepare/preparation'
import { largeBodyRoute, readerOfProject, type Route, route } from '../../http/route'
import { groupByProject } from '../../lib/group-by-project'
import { toCompoundKey } from '../../lib/compound-key'
import type { QueryOptions, Store } from '../../store/store'
import {
  compileFeedbackQuery,
  countFeedback,
  deleteFeedback,
  listFeedbackFields,
  measureFeedback,
  storeFeedback,
} from './feedback-store'
import { AnswerCheck } from './check-answers'
import {
  type FeedbackContext,
  type FeedbackQueue,
  prepareFeedback,
  prepareFeedbackBatch,
  prepareFeedbackReplacement,
  type PreparedFeedback,
} from './prepare-feedback'

export type FeedbackDeps = {
  store: Store
  clock: () => number
  preparer: Preparer
  /** Whether a project has this annotation queue. Another part of the service knows. */
  hasQueue: (projectId: string, queueId: string, options: QueryOptions) => Promise<boolean>
}

const sizeAdvice = "Narrow the 'query', or set a smaller 'limit' and page by 'offset'."

export function feedbackRoutes({ store, clock, preparer, hasQueue }: FeedbackDeps): Route[] {
  const answers = new AnswerCheck({ store, preparer })
  let newestMs = 0
  const readTimes = () => {
    const createdMs = clock()
    newestMs = Math.max(newestMs, createdMs)
    return { createdMs, answeredMs: newestMs }
  }
  const requireQueues = async (queues: readonly FeedbackQueue[], options: QueryOptions) => {
    const known = new Set<string>()
    for (const { projectId, queueId, loc } of queues) {
      const key = toCompoundKey(projectId, queueId)
      if (!known.has(key) && !(await hasQueue(projectId, queueId, options))) {
        const msg = 'This project has no such annotation queue.'
        throw new HttpError('invalid', { loc: [...loc, 'queue_id'], msg, type: 'value_error' })
      }
      known.add(key)
    }
  }
  const create = (
    endpoint: typeof createFeedback | typeof createFeedbackBatch | typeof replaceFeedback,
    preparation: Preparation<FeedbackContext, never, PreparedFeedback>,
  ) =>
    largeBodyRoute(endpoint, async ({ body }, context) => {
      const prepared = preparer.prepare(preparation, body, { user: context.user, ...readTimes() }, context)
      const { projectId = '', lines, chosen, annotations, queues, response, replacedId } = await readResult(prepared)
      const reader = readerOfProject(context, projectId)
      for (const [ofProject, own] of groupByProject(annotations, (each) => each.projectId)) {
        await answers.requireAllowed(ofProject, own, reader)
      }
      await requireQueues(queues, reader)
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
