import { parseInstant } from './instant'

export const conversions = ['double', 'string', 'int', 'bool', 'exists'] as const

/** The type of a field. A `json` value has a type of its own in each row. */
export type QueryFieldType = 'string' | 'number' | 'datetime' | 'json'

export type Literal = string | number | boolean | null
export type Operand =
  | { $literal: Literal }
  | { $getField: string }
  | { $convert: { input: Operand; to: (typeof conversions)[number] } }
  | Operation
export type Operation =
  | { $and: Operand[] }
  | { $or: Operand[] }
  | { $not: [Operand] }
  | { $eq: [Operand, Operand] }
  | { $gt: [Operand, Operand] }
  | { $gte: [Operand, Operand] }
  | { $lt: [Operand, Operand] }
  | { $lte: [Operand, Operand] }
  | { $in: [Operand, Operand[]] }
  | { $contains: { input: Operand; substr: Operand; case_insensitive?: boolean | undefined } }
/** A condition on rows: `{"$expr": operation}` and nothing beside it. */
export type Query = { $expr: Operation }

/** The literal that a time field is compared with, ISO 8601 text or unix seconds, in microseconds since 1970; text where it is invalid: the reason. */
export function parseTimeLiteral(literal: Literal): bigint | string {
  if (typeof literal === 'string') return parseInstant(literal)
  if (typeof literal !== 'number') return 'A time is compared with ISO 8601 text or unix seconds.'
  const microseconds = literal * 1e6
  return Number.isFinite(microseconds) ? BigInt(Math.round(microseconds)) : `${literal} is not a time in unix seconds.`
}
