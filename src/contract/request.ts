import * as z from 'zod/mini'
import { isJsonObject } from './json-value'
import { boundedList, optional } from './schema'

// Older clients send the name of their user, under either spelling. Every operation ignores it: only the authenticated
// user counts.
const ignoredUser = { platform_user_id: z.optional(z.unknown()), wb_user_id: z.optional(z.unknown()) }

/** A request body that rejects unknown fields. */
export function strictRequest<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...shape, ...ignoredUser })
}

/**
 * A filter that rejects unknown keys: a filter that is ignored would return rows that nobody asked for. Unknown keys that
 * are null are ignored, because SDKs send every key they know, and newer ones know more.
 */
export function strictFilter<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.pipe(z.transform(withoutNulls), z.strictObject(shape))
}

function withoutNulls(input: unknown): unknown {
  if (!isJsonObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** The type of an issue of `Count`. `toProblems` replaces it by the type that `describeCountProblem` finds for the value. */
export const countIssueType = 'count'

/** What is wrong with a value that must be a whole number from 0. The types are pydantic's, as in W&B Weave. */
export function describeCountProblem(value: unknown): { type: string; message: string } {
  const expected = 'Must be a whole number, 0 or greater'
  if (typeof value === 'string') return { type: 'int_parsing', message: `${expected}, without quotes.` }
  if (typeof value !== 'number') return { type: 'int_type', message: `${expected}.` }
  if (!Number.isInteger(value)) return { type: 'int_from_float', message: `${expected}, not ${value}.` }
  return value < 0
    ? { type: 'greater_than_equal', message: `${expected}, not ${value}.` }
    : { type: 'less_than_equal', message: `${expected}, at most ${Number.MAX_SAFE_INTEGER}.` }
}

/** A whole number from 0, or absent. */
export const Count = optional(
  z.custom<number>((value) => Number.isSafeInteger(value) && typeof value === 'number' && value >= 0, {
    error: (issue) => describeCountProblem(issue.input).message,
    params: { type: countIssueType },
  }),
)

export const Direction = z.enum(['asc', 'desc'])
export type Direction = z.infer<typeof Direction>

/** Each key adds text to the SQL statement. */
export const maxSortKeys = 16

/** A list of sort keys over `fields`. The first key decides, later keys order rows that are equal by it. */
export function sortBy<const Fields extends readonly string[]>(fields: Fields) {
  return boundedList(z.strictObject({ field: z.enum(fields), direction: Direction }), maxSortKeys)
}
