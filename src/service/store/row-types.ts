import * as z from 'zod/mini'
import { fromEngineTime } from './engine-time'

// Columns as the engine prints them, and the values the service works with. Whoever reads rows builds the schema of a row
// from these, so that a parsed row has its final types.

/** A UInt64 as a number. The engine prints 64-bit integers as text; counts and sizes stay below 2^53. */
export const count = z.pipe(z.string(), z.transform(Number))

/** A DateTime64 as the wire's instant: '2026-01-31T09:30:00.5Z'. */
export const engineTime = z.pipe(z.string(), z.transform(fromEngineTime))

export const nullableEngineTime = z.nullable(engineTime)

/** A UInt8 of 0 or 1 as a boolean. */
export const flag = z.pipe(
  z.number(),
  z.transform((value) => value !== 0),
)

/** Text as it is, and null for ''. Columns that merge by max() store '' for "no value yet". */
export const textOrNull = z.pipe(
  z.string(),
  z.transform((text) => text || null),
)
