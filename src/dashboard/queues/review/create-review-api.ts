import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { toAnnotationType, toObjectRef } from '../../../contract/annotation-spec'
import type { ClientEndpoint } from '../../../contract/endpoint'
import {
  leaseQueueItem,
  nextQueueItem,
  queryQueueItems,
  queryQueueStats,
  releaseQueueItem,
  updateItemProgress,
} from '../../../contract/queue-items'
import { type Connection, usesSession } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { pause } from '../../client/pause'
import { toEntered } from './answer-control'
import type { OtherTabs } from './other-tabs'
import { openPageSize } from './pick-candidate'
import { preloadItem } from './review-queries'
import type { ReviewDraft } from './review-drafts'
import type { ReviewApi } from './review-session'
import type { AnswerField } from './sent-answers'

// Without the schemas of their requests, which would bring that of the query language: the service validates.
const define = <Response extends z.core.$ZodType>(path: `/${string}`, response: Response) =>
  ({ method: 'POST', path, response, streams: false, places: {} }) as const satisfies ClientEndpoint
const saveAnswers = define('/feedback/batch/create', z.object({}))
const removeAnswers = define('/feedback/purge', z.object({}))
const readAnswers = define(
  '/feedback/query',
  z.object({
    result: z.array(z.object({ id: z.string(), annotation_ref: z.nullish(z.string()), 'payload.value': z.unknown() })),
  }),
)

/** Three frames of a screen: what can wait does so until an item is painted. */
export const paintMs = 50

type Options = {
  queueId: string
  fields: readonly AnswerField[]
  connection: Connection
  queryClient: QueryClient
  tabs: Pick<OtherTabs, 'show'>
}

export function createReviewApi({ queueId, fields, connection, queryClient, tabs }: Options): ReviewApi {
  const { projectId: project_id, username } = connection
  const queue = { project_id, queue_id: queueId }
  const toCallRef = (callId: string) => `weave:///${project_id}/call/${callId}`
  let hasWorked = false
  /** Once it worked, a 401 means that the session ended: the person signs in and comes back. */
  const send = async <Reply>(request: () => Promise<Reply>): Promise<Reply> => {
    const meta = { endsSession: hasWorked && usesSession(connection) }
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: request, meta })
    const reply = await mutation.execute(undefined)
    hasWorked = true
    return reply
  }
  const listItems = async (more: object) => {
    const { items } = await fetchJson(queryQueueItems, { ...queue, ...more }, { connection })
    return items
  }
  return {
    next: () => send(() => fetchJson(nextQueueItem, queue, { connection })),
    lease: (item_id) => send(() => fetchJson(leaseQueueItem, { ...queue, item_id }, { connection })),
    undoSkip: (item_id) => send(() => fetchJson(leaseQueueItem, { ...queue, item_id, undo_skip: true }, { connection })),
    mark: async (item_id, annotation_state) => {
      await send(() => fetchJson(updateItemProgress, { ...queue, item_id, annotation_state }, { connection, keepalive: true }))
      // How far the queue is. Nobody waits for it.
      void refetchOperation(queryClient, queryQueueStats)
    },
    release: (item_id) => {
      if (tabs.show(item_id)) return
      // Nobody is there to be told of a failure, and the lease ends by itself.
      fetchJson(releaseQueueItem, { ...queue, item_id }, { connection, keepalive: true }).catch(() => undefined)
    },
    save: (item, answers) => {
      const batch = answers.map(({ id, field, value }) => ({
        project_id,
        id,
        weave_ref: toCallRef(item.call_id),
        feedback_type: toAnnotationType(field.name),
        annotation_ref: toObjectRef(field.ref),
        payload: { value },
        queue_id: queueId,
      }))
      return send(() => fetchJson(saveAnswers, { batch }, { connection }))
    },
    remove: (ids) => {
      const query = { $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } }
      return send(() => fetchJson(removeAnswers, { project_id, query }, { connection }))
    },
    listOpen: async (offset) => {
      await pause(paintMs)
      return listItems({ filter: { annotation_states: ['unstarted', 'in_progress'] }, limit: openPageSize, offset })
    },
    readCompleted: async (itemId) => {
      const [item] = await listItems({ filter: { id: itemId } })
      if (!item?.reviews.some(({ annotator, state }) => annotator === username && state === 'completed')) return undefined
      const isField = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
      const wanted = { weave_ref: toCallRef(item.call_id), queue_id: queueId, wb_user_id: username }
      const query = { $expr: { $and: Object.entries(wanted).map(([field, value]) => isField(field, value)) } }
      const sort_by = [{ field: 'created_at', direction: 'asc' }]
      const selected = ['id', 'annotation_ref', 'payload.value']
      const { result } = await fetchJson(readAnswers, { project_id, query, sort_by, fields: selected }, { connection })
      const own: ReviewDraft = { entered: {}, sent: {} }
      // The last one counts.
      for (const { id, annotation_ref: ref, 'payload.value': value } of result) {
        const field = fields.find((each) => toObjectRef(each.ref) === ref)
        if (!field) continue
        own.entered[field.ref] = toEntered(field.control, value)
        own.sent[field.ref] = { id, text: JSON.stringify(value), isStored: true }
      }
      return { item, own }
    },
    preload: (item) => {
      // Only to be sooner: the page reads it again, and shows what is wrong.
      preloadItem(item, queryClient, connection).catch(() => undefined)
    },
  }
}
