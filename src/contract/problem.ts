import * as z from 'zod/mini'

// Checked by hand: this is the only union that every page would have to load.
const LocPart = z.custom<string | number>((part) => typeof part === 'string' || typeof part === 'number')

/** One thing that is wrong: where (`loc`), what (`msg`), and a stable snake_case word for it (`type`). */
export const Problem = z.object({
  loc: z.array(z.pipe(LocPart, z.transform(String))),
  msg: z.string(),
  type: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** The one error body, for every status that is not 200. */
export const ProblemBody = z.object({ detail: z.array(Problem) })
export type ProblemBody = z.infer<typeof ProblemBody>
