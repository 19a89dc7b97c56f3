import * as z from 'zod/mini'
import { optional, codePointLength, refineAs } from './schema'
import { CallId } from './calls'
import { defineEndpoint } from './endpoint'
import { ProjectId } from './project-id'

const longestName = 1024

/** Gives a call another name to be shown under; '' takes the given name away. The call may arrive later. */
export const renameCall = defineEndpoint({
  path: '/call/update',
  request: z.object({
    project_id: ProjectId,
    call_id: CallId,
    display_name: optional(
      z
        .string()
        .check(
          refineAs<string>(
            'string_too_long',
            (name) => codePointLength(name) <= longestName,
            `The name is too long: at most ${longestName} characters.`,
          ),
        ),
    ),
  }),
  response: z.object({}),
})
