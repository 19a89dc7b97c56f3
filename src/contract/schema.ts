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

/** A check whose issue carries `type`, the word that the error response has for it. */
export function refineAs<T>(type: string, isAccepted: (value: T) => boolean, message: string | ((value: T) => string)) {
  return z.refine<T>(isAccepted, {
    error: (issue) => (typeof message === 'string' ? message : message(issue.input as T)), // zod types a check's own input as unknown
    params: { type },
  })
}

/** Whether a text has more than `max` code points, the unit of every length limit on the wire. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point is one or two code units, so only texts of about the maximum are counted.
  if (text.length <= max) return false
  return text.length > 2 * max || Array.from(text).length > max
}

/** Text of at most `max` characters. */
export function boundedText(max: number): z.ZodMiniString<string> {
  return z
    .string()
    .check(
      refineAs<string>(
        'string_too_long',
        (text) => !isLongerThan(text, max),
        `Too long: at most ${formatLimit(max)} characters.`,
      ),
    )
}

/** 1,024 for 1024. */
export function formatLimit(max: number): string {
  return max.toLocaleString('en-US')
}

/** Maximum number of entries in a list or a dictionary of a request. */
const maxEntries = 100_000

/** Nobody reads more problems, and to describe each item of a body of nonsense takes seconds. */
export const maxProblems = 1000

/** A list whose length is checked before its items, and of whose problems only the first are found. */
export function boundedList<Item extends z.core.SomeType>(item: Item, max = maxEntries): z.ZodMiniArray<Item> {
  const items = z.array(item)
  const schema: unknown = z.pipe(
    z.array(z.unknown()).check(z.maxLength(max)),
    z.transform((input, context) => {
      const parsed: unknown[] = []
      for (let start = 0; start < input.length && context.issues.length < maxProblems; start += maxProblems) {
        const part = input.slice(start, start + maxProblems)
        const result = z.safeParse(items, part)
        if (result.success) parsed.push(...result.data)
        else {
          for (const issue of result.error.issues) {
            const [index, ...path] = issue.path
            const raw: z.core.$ZodRawIssue = {
              ...issue,
              path: [start + Number(index), ...path],
              input: part,
            } as z.core.$ZodRawIssue // an issue of zod itself
            context.issues.push(raw)
          }
        }
      }
      // Checks of the list itself run even where items have problems.
      return context.issues.length > 0 ? input : parsed
    }),
  )
  return schema as z.ZodMiniArray<Item> // a list of what `item` makes of its items, as z.array() is
}

/** An object whose keys are names that the sender chose. Its size is checked first, as in `list`. */
export function dictionary<Key extends z.core.$ZodRecordKey, Value extends z.core.SomeType>(
  key: Key,
  value: Value,
  max = maxEntries,
): z.ZodMiniRecord<Key, Value> {
  const isSmall = refineAs<object>(
    'too_long',
    (entries) => Object.keys(entries).length <= max,
    `Too many: at most ${formatLimit(max)}.`,
  )
  // zod drops this key silently, and the value sent under it would be lost.
  const hasValidNames = refineAs<unknown>(
    'value_error',
    (entries) => typeof entries !== 'object' || entries === null || !Object.hasOwn(entries, '__proto__'),
    "'__proto__' cannot be a name here.",
  )
  const schema: unknown = z.pipe(
    z.unknown().check(hasValidNames),
    z.pipe(z.record(z.string(), z.unknown()).check(isSmall), z.record(key, value)),
  )
  return schema as z.ZodMiniRecord<Key, Value> // as in `list`
}
