import type * as z from 'zod/mini'
import { maxProblems } from './schema'
import { describeCountProblem, countIssueType } from './request'
import type { Problem } from './problem'
import { describeType, truncate, formatValue } from './json-value'

type Issue = z.core.$ZodIssue

/** Longer than every valid name, so that a client finds its own names again. */
const maxLocPartLength = 1024

const describedTypes: Record<string, { type: string; expected: string }> = {
  string: { type: 'string_type', expected: 'a string' },
  array: { type: 'list_type', expected: 'a list' },
  object: { type: 'dict_type', expected: 'an object' },
  record: { type: 'dict_type', expected: 'an object' },
  boolean: { type: 'bool_type', expected: 'true or false' },
  number: { type: 'float_type', expected: 'a number' },
  nonoptional: { type: 'missing', expected: 'any JSON value' },
}

/**
 * The problems that zod found in `input`, with `root` (such as `["body"]`) before each path.
 * Types are pydantic's, as in W&B Weave, so that clients that read `type` keep working.
 */
export function toProblems(issues: readonly Issue[], input: unknown, root: readonly string[]): Problem[] {
  return issues.slice(0, maxProblems).flatMap((issue) => toProblemsOfIssue(issue, input, root))
}

function toProblemsOfIssue(issue: Issue, input: unknown, root: readonly string[]): Problem[] {
  const loc = [...root, ...issue.path.map(toLocPart)]
  const value = readPath(input, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, maxProblems).map((key) => ({
        loc: [...loc, toLocPart(key)],
        msg: `'${truncate(key)}' is not a field of this request. Leave it out.`,
        type: 'extra_forbidden',
      }))
    case 'invalid_type':
      return [typeProblem(loc, issue.expected, value)]
    case 'invalid_value':
      return value === undefined
        ? [missingProblem(loc, `one of: ${issue.values.map(String).join(', ')}`)]
        : [
            {
              loc,
              msg: `Unsupported ${describePlace(issue.path)} ${formatValue(value)}. Supported: ${issue.values.map(String).join(', ')}.`,
              type: 'literal_error',
            },
          ]
    case 'too_small':
      return [
        issue.origin === 'string'
          ? {
              loc,
              msg: `Too short: at least ${String(issue.minimum)} character${issue.minimum === 1 ? '' : 's'}.`,
              type: 'string_too_short',
            }
          : issue.origin === 'array'
            ? { loc, msg: `Too few: at least ${String(issue.minimum)}.`, type: 'too_short' }
            : { loc, msg: `Must be ${String(issue.minimum)} or greater.`, type: 'greater_than_equal' },
      ]
    case 'too_big':
      return [
        issue.origin === 'string'
          ? { loc, msg: `Too long: at most ${String(issue.maximum)} characters.`, type: 'string_too_long' }
          : issue.origin === 'array'
            ? { loc, msg: `Too many: at most ${String(issue.maximum)}.`, type: 'too_long' }
            : { loc, msg: `Must be ${String(issue.maximum)} or less.`, type: 'less_than_equal' },
      ]
    case 'invalid_key':
      return toProblems(issue.issues, issue.path.at(-1), loc)
    case 'custom': {
      const type: unknown = issue.params?.['type']
      if (type === countIssueType) return [{ loc, msg: issue.message, type: describeCountProblem(value).type }]
      return [{ loc, msg: issue.message, type: typeof type === 'string' ? type : 'value_error' }]
    }
    default:
      return [{ loc, msg: issue.message, type: 'value_error' }]
  }
}

/** A key that the sender chose may have any length. */
function toLocPart(key: PropertyKey): string {
  const part = String(key)
  return part.length > maxLocPartLength ? truncate(part) : part
}

/** What a value from a fixed list is, for a message. */
function describePlace(path: readonly PropertyKey[]): string {
  if (path.at(-3) === 'sort_by' && path.at(-1) === 'field') return 'sort field'
  return path.at(-2) === 'fields' ? 'field' : 'value'
}

function missingProblem(loc: string[], expected: string): Problem {
  return { loc, msg: `Field required: ${expected}.`, type: 'missing' }
}

function typeProblem(loc: string[], expected: string, value: unknown): Problem {
  if (expected === 'number' && typeof value === 'string') {
    return { loc, msg: `Must be a number without quotes, not ${formatValue(value)}.`, type: 'float_parsing' }
  }
  if (expected === 'number' && typeof value === 'number') {
    return { loc, msg: `Must be a finite number, not ${value}.`, type: 'finite_number' }
  }
  const described = describedTypes[expected] ?? { type: `${expected}_type`, expected }
  return value === undefined
    ? missingProblem(loc, described.expected)
    : { loc, msg: `Must be ${described.expected}, not ${describeType(value)}.`, type: described.type }
}

function readPath(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
