import * as z from 'zod/mini'
import { isLongerThan, refineAs } from './schema'

/** A name that a person gives: trimmed, then 1 to `max` characters. */
export function nameOf(max: number): z.ZodMiniString<string> {
  return z.string().check(
    z.trim(),
    refineAs<string>('string_too_short', (name) => name.length > 0, `A name is required: 1 to ${max} characters.`),
    refineAs<string>('string_too_long', (name) => !isLongerThan(name, max), `The name is too long: at most ${max} characters.`),
  )
}
