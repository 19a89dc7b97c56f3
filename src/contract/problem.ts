import * as z from 'zod/mini'

// Not z.union(): it would be the only union in the first script of every page.
const LocPart = z.custom<string | number>((part) => typeof part === 'string' || typeof part === 'number')

/** One problem: where (`loc`), what (`msg`), and a stable snake_case word for it (`type`). */
export const Problem = z.object({
  loc: z.array(z.pipe(LocPart, z.transform(String))),
  msg: z.string(),
  type: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** The body of every error response. */
export const ProblemBody = z.object({ detail: z.array(Problem) })
export type ProblemBody = z.infer<typeof ProblemBody>
