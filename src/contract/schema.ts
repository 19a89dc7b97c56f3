import * as z from 'zod/mini'

/** A field that may be left out; null counts as left out. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => value ?? undefined),
    ),
  )
}

/** A check whose issue carries the wire's word for it. */
export function refineAs<T>(type: string, isAccepted: (value: T) => boolean, message: string | ((value: T) => string)) {
  return z.refine<T>(isAccepted, {
    error: (issue) => (typeof message === 'string' ? message : message(issue.input as T)), // zod types a check's own input as unknown
    params: { type },
  })
}

/** Length in code points, as the wire counts. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
