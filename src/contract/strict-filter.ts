import * as z from 'zod/mini'
import { isJsonObject } from './is-json-object'

/**
 * A filter whose unknown keys are refused, because a filter that is passed over answers with what was not asked for; but
 * not where they are null: SDKs send every key they know, and newer ones know more.
 */
export function strictFilter<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.pipe(z.transform(withoutNulls), z.strictObject(shape))
}

function withoutNulls(input: unknown): unknown {
  if (!isJsonObject(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}
