import * as z from 'zod/mini'
import { maxFieldNameLength, maxIdLength, maxRefLength, maxUsernameLength } from './limits'
import { boundedList, boundedText, formatLimit, isLongerThan, optional, refineAs } from './schema'
import { storedAsSent } from './stored-json'
import { namesOnlyIds } from './id-query'
import { defineEndpoint } from './endpoint'
import type { QueryFieldType } from './expression'
import { querySchema } from './query-schema'
import { Instant } from './instant'
import { ProjectId } from './project-id'
import { Count, sortBy } from './request'
import { formatValue, isJsonObject } from './json-value'

export const feedbackFields = [
  'id',
  'project_id',
  'weave_ref',
  'wb_user_id',
  'creator',
  'created_at',
  'feedback_type',
  'payload',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
] as const
export type FeedbackField = (typeof feedbackFields)[number]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const FeedbackId = z.string().check(refineAs<string>('value_error', (id) => uuid.test(id), 'Must be a UUID in lower case.'))

const Text = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (text) => text.length > 0 && !isLongerThan(text, maxRefLength),
      `Must have 1 to ${formatLimit(maxRefLength)} characters.`,
    ),
  )

/** An object. Its content is not parsed, so that the service stores what was sent. */
const Payload = z
  .custom<Readonly<Record<string, unknown>>>(isJsonObject, {
    error: 'The payload must be an object.',
    params: { type: 'dict_type' },
  })
  .check(storedAsSent)

/**
 * A note, a reaction, a score or an annotation for the object or call that `weave_ref` names. An annotation is what a person
 * answered: its type is `wandb.annotation.<name>`, `annotation_ref` names the annotation spec of that name, and `payload.value`
 * is the answer, which the spec's `field_schema` must allow. A correction is another annotation by the same user.
 * The payload of a reaction, `wandb.reaction.1`, has one `emoji`; stored with it are its `alias` (`:thumbs_up:`), `detoned` and
 * `detoned_alias`, without skin tones.
 */
export const NewFeedback = z.object({
  project_id: ProjectId,
  /** The same id again is the same feedback, and the first stays. */
  id: optional(FeedbackId),
  weave_ref: Text,
  feedback_type: Text,
  payload: Payload,
  creator: optional(boundedText(maxUsernameLength)),
  annotation_ref: optional(Text),
  runnable_ref: optional(Text),
  call_ref: optional(Text),
  trigger_ref: optional(Text),
  /** The annotation queue that this was answered in. */
  queue_id: optional(boundedText(maxIdLength)),
})
export type NewFeedback = z.infer<typeof NewFeedback>

/** Of the JSON of a payload, as in W&B Weave. */
export const maxPayloadBytes = 1024 * 1024

const FeedbackCreated = z.object({ id: z.string(), created_at: Instant, wb_user_id: z.string(), payload: Payload })
export type FeedbackCreated = z.infer<typeof FeedbackCreated>

export const createFeedback = defineEndpoint({
  path: '/feedback/create',
  request: NewFeedback,
  response: FeedbackCreated,
})

export const createFeedbackBatch = defineEndpoint({
  path: '/feedback/batch/create',
  request: z.object({ batch: boundedList(NewFeedback) }),
  response: z.object({ res: z.array(FeedbackCreated) }),
})

/** Deletes the feedback `feedback_id`, where the project has it, and creates this one in its place. It gets an id of its own. */
export const replaceFeedback = defineEndpoint({
  path: '/feedback/replace',
  request: z.object({ ...NewFeedback.shape, feedback_id: boundedText(maxIdLength) }),
  response: FeedbackCreated,
})

const plainFieldTypes: Partial<Record<string, QueryFieldType>> = {
  id: 'string',
  weave_ref: 'string',
  wb_user_id: 'string',
  creator: 'string',
  created_at: 'datetime',
  feedback_type: 'string',
  payload: 'json',
  annotation_ref: 'string',
  runnable_ref: 'string',
  call_ref: 'string',
  trigger_ref: 'string',
  queue_id: 'string',
}

const maxPathLength = 16
const maxSelectedFields = 100

/** The keys after `payload` in a field such as `payload.emoji`; undefined for any other field. */
export function parsePayloadPath(field: string): string[] | undefined {
  if (isLongerThan(field, maxFieldNameLength)) return undefined
  const [first, ...path] = field.split('.')
  const isPath = first === 'payload' && path.length > 0 && path.length <= maxPathLength && path.every((part) => part !== '')
  return isPath ? path : undefined
}

const FeedbackQuery = querySchema(
  (field) => (parsePayloadPath(field) ? 'json' : Object.hasOwn(plainFieldTypes, field) ? plainFieldTypes[field] : undefined),
  `${Object.keys(plainFieldTypes).join(', ')}, and paths into payload such as payload.emoji with up to ${maxPathLength} keys`,
)

export const feedbackSortFields = ['id', 'weave_ref', 'wb_user_id', 'creator', 'created_at', 'feedback_type'] as const

/** As a field of a query, alone: how many rows it finds, whatever its limit. */
export const countField = 'count(*)'

const fieldNames: readonly string[] = feedbackFields

const SelectedField = z.string().check(
  refineAs<string>(
    'literal_error',
    (name) => name === countField || fieldNames.includes(name) || parsePayloadPath(name) !== undefined,
    (name) =>
      `Unsupported field ${formatValue(name)}. Supported: ${[...feedbackFields, countField].join(', ')}, and paths into payload such as payload.emoji.`,
  ),
)

/**
 * Newest first unless sorted, with only the requested fields, each under the name in the request: `payload.note` is a key with
 * a dot. A path gives the JSON value as it was sent, null where there is none.
 */
export const queryFeedback = defineEndpoint({
  path: '/feedback/query',
  request: z.object({
    project_id: ProjectId,
    fields: optional(
      boundedList(SelectedField, maxSelectedFields).check(
        refineAs<readonly string[]>(
          'value_error',
          (names) => names.length === 1 || !names.includes(countField),
          `'${countField}' is the only field of a query that has it.`,
        ),
      ),
    ),
    query: optional(FeedbackQuery),
    sort_by: optional(sortBy(feedbackSortFields)),
    limit: Count,
    offset: Count,
  }),
  response: z.object({ result: z.array(z.record(z.string(), z.unknown())) }),
})

/** Deletes feedback by id. */
export const purgeFeedback = defineEndpoint({
  path: '/feedback/purge',
  request: z.object({
    project_id: ProjectId,
    query: FeedbackQuery.check(namesOnlyIds),
  }),
  response: z.object({}),
})
