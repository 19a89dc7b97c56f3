import * as z from 'zod/mini'
import { isLongerThan, refineAs } from './schema'

const pattern = /^[^/]+\/[^/]+$/

/** `<entity>/<project>`: exactly one slash, both parts non-empty, at most 256 characters in all. */
export const ProjectId = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (text) => !isLongerThan(text, 256) && pattern.test(text),
      "Must be '<entity>/<project>': exactly one '/', both parts non-empty, at most 256 characters.",
    ),
  )
export type ProjectId = z.infer<typeof ProjectId>
