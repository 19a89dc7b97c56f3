import * as z from 'zod/mini'
import { codePointLength, refineAs } from './schema'

const pattern = /^[^/]+\/[^/]+$/

/** `<entity>/<project>`: exactly one slash, both parts non-empty, at most 256 characters in all. */
export const ProjectId = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (text) => pattern.test(text) && codePointLength(text) <= 256,
      "Must be '<entity>/<project>': exactly one '/', both parts non-empty, at most 256 characters.",
    ),
  )
export type ProjectId = z.infer<typeof ProjectId>
