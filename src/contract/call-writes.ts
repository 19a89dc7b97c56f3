import * as z from 'zod/mini'
import { CallInstant } from './call-instant'
import { defineEndpoint } from './endpoint'
import { Problem } from './problem'
import { ProjectId } from './project-id'
import {
  maxDisplayNameLength,
  maxExceptionLength,
  maxModelNameLength,
  maxModelsPerCall,
  maxOpNameLength,
  maxThreadIdLength,
  maxUsageLength,
} from './limits'
import { describeType, isJsonObject, truncate } from './json-value'
import { boundedList, boundedText, formatLimit, isLongerThan, optional, refineAs } from './schema'
import { StoredJson } from './stored-json'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const spanId = /^[0-9a-f]{16}$/
const traceId = /^[0-9a-f]{32}$/

/** 16 lower-case hex digits or a UUID. */
export const CallId = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (id) => spanId.test(id) || uuid.test(id),
      'Must be 16 lower-case hex digits or a lower-case UUID.',
    ),
  )
/** 32 lower-case hex digits or a UUID. */
export const TraceId = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (id) => traceId.test(id) || uuid.test(id),
      'Must be 32 lower-case hex digits or a lower-case UUID.',
    ),
  )

const DisplayName = boundedText(maxDisplayNameLength)

/** An object, or null. The keys of `usage` are names of models, by which usage is added up and priced. */
const Summary = StoredJson.check((context) => {
  const { value } = context
  if (value !== undefined && value !== null && !isJsonObject(value)) {
    const message = `Must be an object, not ${describeType(value)}.`
    context.issues.push({ code: 'custom', message, params: { type: 'dict_type' }, input: value })
    return
  }
  const usage = value?.['usage']
  if (usage !== undefined && JSON.stringify(usage).length > maxUsageLength) {
    context.issues.push({
      code: 'custom',
      path: ['usage'],
      message: `Too long: at most ${formatLimit(maxUsageLength)} characters of JSON.`,
      params: { type: 'too_long' },
      input: value,
    })
    return
  }
  if (!isJsonObject(usage)) return
  const names = Object.keys(usage)
  if (names.length > maxModelsPerCall) {
    context.issues.push({
      code: 'custom',
      path: ['usage'],
      message: `Too many models: at most ${maxModelsPerCall} in the usage of one call.`,
      params: { type: 'too_long' },
      input: context.value,
    })
    return
  }
  const longName = names.find((name) => isLongerThan(name, maxModelNameLength))
  if (longName === undefined) return
  context.issues.push({
    code: 'custom',
    path: ['usage', truncate(longName)],
    message: `The name of the model is too long: at most ${formatLimit(maxModelNameLength)} characters.`,
    params: { type: 'string_too_long' },
    input: context.value,
  })
})

/** The start of a call. Unknown fields are ignored, because SDKs are often newer than servers. */
export const CallStart = z.object({
  project_id: ProjectId,
  op_name: boundedText(maxOpNameLength),
  started_at: CallInstant,
  id: optional(CallId),
  trace_id: optional(TraceId),
  parent_id: optional(CallId),
  thread_id: optional(boundedText(maxThreadIdLength)),
  turn_id: optional(CallId),
  display_name: optional(DisplayName),
  attributes: StoredJson,
  inputs: StoredJson,
})
export type CallStart = z.infer<typeof CallStart>

/** The end of a call; it may arrive before the start. */
export const CallEnd = z.object({
  project_id: ProjectId,
  id: CallId,
  ended_at: CallInstant,
  summary: Summary,
  exception: optional(boundedText(maxExceptionLength)),
  output: z.optional(StoredJson),
  display_name: optional(DisplayName),
})
export type CallEnd = z.infer<typeof CallEnd>

/** A complete call: start and end in one. */
export const CompleteCall = z.object({
  ...CallStart.shape,
  id: CallId,
  trace_id: TraceId,
  ended_at: optional(CallInstant),
  exception: optional(boundedText(maxExceptionLength)),
  output: z.optional(StoredJson),
  summary: Summary,
})
export type CompleteCall = z.infer<typeof CompleteCall>

const StartedCall = z.object({ id: z.string(), trace_id: z.string() })

export const startCall = defineEndpoint({
  path: '/call/start',
  request: z.object({ start: CallStart }),
  response: StartedCall,
})

export const endCall = defineEndpoint({
  path: '/call/end',
  request: z.object({ end: CallEnd }),
  response: z.object({}),
})

/** One part of a batch. The service validates part by part, so that a bad part does not reject the good ones. */
export const CallPart = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('start'), req: z.object({ start: CallStart }) }),
  z.object({ mode: z.literal('end'), req: z.object({ end: CallEnd }) }),
])

/** `res` is in the order of the batch: the response of each part, or `error` for a rejected one. */
export const upsertCalls = defineEndpoint({
  path: '/call/upsert_batch',
  request: z.object({ batch: boundedList(z.unknown()) }),
  response: z.object({ res: z.array(z.union([StartedCall, z.object({ error: Problem }), z.object({})])) }),
})

/** Complete calls of the project in the path; an item's own `project_id` must be the same. */
export const completeCalls = defineEndpoint({
  path: '/v2/{entity}/{project}/calls/complete',
  request: z.object({ entity: z.string(), project: z.string(), batch: boundedList(z.unknown()) }),
  response: z.object({ res: z.optional(z.array(z.union([z.object({ error: Problem }), z.object({})]))) }),
  places: { entity: 'path', project: 'path' },
})

export const startProjectCall = defineEndpoint({
  path: '/v2/{entity}/{project}/call/start',
  request: z.object({ entity: z.string(), project: z.string(), start: CallStart }),
  response: StartedCall,
  places: { entity: 'path', project: 'path' },
})

export const endProjectCall = defineEndpoint({
  path: '/v2/{entity}/{project}/call/end',
  request: z.object({ entity: z.string(), project: z.string(), end: CallEnd }),
  response: z.object({}),
  places: { entity: 'path', project: 'path' },
})

/** Sets the display name of a call; '' removes it. The call may arrive later. */
export const renameCall = defineEndpoint({
  path: '/call/update',
  request: z.object({
    project_id: ProjectId,
    call_id: CallId,
    display_name: optional(DisplayName),
  }),
  response: z.object({}),
})

const maxDeletedCalls = 1000

/**
 * Deletes calls with all calls below them in their traces. Parts that arrive later do not bring a call back, also where
 * nothing of it has arrived yet; a new call below a deleted one is kept. `num_deleted` counts the calls that were there.
 * Deleted calls are not read, counted, summed up or listed in threads and queues any more, and neither is their feedback.
 * Their content stays in the files of the store.
 */
export const deleteCalls = defineEndpoint({
  path: '/calls/delete',
  request: z.object({ project_id: ProjectId, call_ids: boundedList(CallId, maxDeletedCalls) }),
  response: z.object({ num_deleted: z.number() }),
})
