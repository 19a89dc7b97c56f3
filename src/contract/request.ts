import * as z from 'zod/mini'
import { optional } from './schema'
import { countProblem, countWord } from './count-problem'
import { list } from './list'

// Older clients name the user they believe to be. Both spellings are accepted everywhere and ignored: the
// authenticated user is the only one that counts.
const ignoredUser = { platform_user_id: z.optional(z.unknown()), wb_user_id: z.optional(z.unknown()) }

/** A request body that refuses unknown fields. */
export function strictRequest<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...shape, ...ignoredUser })
}

/** A whole number from 0, or absent. */
export const Count = optional(
  z.custom<number>((value) => Number.isSafeInteger(value) && typeof value === 'number' && value >= 0, {
    error: (issue) => countProblem(issue.input).message,
    // The word depends on what was sent; problemsOf finds it by this one.
    params: { type: countWord },
  }),
)

export const Direction = z.enum(['asc', 'desc'])
export type Direction = z.infer<typeof Direction>

/** A list of sort keys over `fields`; the first counts most. */
export function sortBy<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  return list(z.strictObject({ field: z.enum(fields), direction: Direction }))
}
