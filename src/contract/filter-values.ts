import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { maxModelNameLength } from './limits'
import { ProjectId } from './project-id'
import { Count, strictRequest } from './request'
import { boundedText, optional } from './schema'

const filterFields = ['model', 'op_name', 'user'] as const
export type FilterField = (typeof filterFields)[number]

/** A response has no more. */
export const maxFilterSuggestions = 100

/**
 * Values of calls of threads that contain a text, in any case: those that begin with it first, then by the alphabet. They are
 * what the filters `models`, `op_names` and `users` of `/threads/search` take, and complete what somebody types. A value
 * appears some seconds after its first call. A Spool extension.
 */
export const suggestFilterValues = defineEndpoint({
  path: '/threads/filter_values',
  request: strictRequest({
    project_id: ProjectId,
    field: z.enum(filterFields),
    /** Without it: all values. */
    text: optional(boundedText(maxModelNameLength)),
    limit: Count,
  }),
  response: z.object({ values: z.array(z.string()) }),
})
