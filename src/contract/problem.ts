import * as z from 'zod/mini'

/** One thing that is wrong: where (`loc`), what (`msg`), and a stable snake_case word for it (`type`). */
export const Problem = z.object({
  loc: z.array(z.pipe(z.union([z.string(), z.number()]), z.transform(String))),
  msg: z.string(),
  type: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** The one error body, for every status that is not 200. */
export const ProblemBody = z.object({ detail: z.array(Problem) })
export type ProblemBody = z.infer<typeof ProblemBody>
