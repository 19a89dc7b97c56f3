import { formatValue, isJsonObject } from './json-value'

// The JSON Schema of an annotation spec (`field_schema`): what people may answer. The keywords are those that pydantic writes,
// by draft 2020-12 (https://json-schema.org/draft/2020-12/json-schema-validation). `format` and unknown keywords are ignored, as
// the draft allows and W&B Weave does.

export const fieldKinds = ['boolean', 'number', 'category', 'text', 'other'] as const
/** `category`: one of a list of values. `other`: lists, objects, and fields of more than one type. */
export type FieldKind = (typeof fieldKinds)[number]

type Schema = Readonly<Record<string, unknown>>

/** What an answer is: how it is asked for, and whether two answers can be compared (all but `text` and `other`). */
export function readFieldKind(schema: unknown): FieldKind {
  if (!isJsonObject(schema)) return 'other'
  if (Array.isArray(schema['enum'])) return 'category'
  switch (schema['type']) {
    case 'boolean':
      return 'boolean'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return 'text'
    default:
      return 'other'
  }
}

/** Where in a value something is wrong, and what would be right. */
export type FieldProblem = { path: readonly string[]; message: string }

export type FieldCheckOptions = {
  /** Whether `pattern` occurs in `text`. It comes from outside: a `RegExp` may take for ever. */
  testPattern: (pattern: string, text: string) => boolean
}

const maxDepth = 32
/** Schemas may refer to themselves twice, and then the work doubles with each level. */
const maxSteps = 10_000

/** The first problem of a value; undefined where the schema allows it. */
export function findFieldProblem(schema: unknown, value: unknown, options: FieldCheckOptions): FieldProblem | undefined {
  return new FieldCheck(schema, options).find(schema, value, [], 0)
}

class FieldCheck {
  private steps = 0

  constructor(
    private readonly root: unknown,
    private readonly options: FieldCheckOptions,
  ) {}

  find(schema: unknown, value: unknown, path: readonly string[], depth: number): FieldProblem | undefined {
    if (schema === true) return undefined
    const fail = (message: string) => ({ path, message })
    this.steps += 1
    if (depth > maxDepth || this.steps > maxSteps) return fail('The schema of this scorer, or this value, is too complex.')
    if (!isJsonObject(schema)) return fail('No value is allowed here.')
    const { $ref: ref, allOf = [], anyOf, oneOf, not } = schema
    const isValid = (each: unknown) => this.find(each, value, path, depth + 1) === undefined
    const ownMessage = findTypeProblem(schema, value) ?? this.findRangeProblem(schema, value)
    if (ownMessage !== undefined) return fail(ownMessage)
    const parts = [...(Array.isArray(allOf) ? allOf : []), ...(typeof ref === 'string' ? [this.resolve(ref)] : [])]
    for (const part of parts) {
      const problem = this.find(part, value, path, depth + 1)
      if (problem) return problem
    }
    if (Array.isArray(anyOf) && !anyOf.some(isValid)) return fail(describeChoice(anyOf, value))
    if (Array.isArray(oneOf) && oneOf.filter(isValid).length !== 1) return fail(describeChoice(oneOf, value))
    if (not !== undefined && isValid(not)) return fail(`${formatValue(value)} is not allowed here.`)
    return this.findPartProblem(schema, value, path, depth)
  }

  private resolve(ref: string): unknown {
    const keys = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref)
    const definitions = keys?.[1] !== undefined && isJsonObject(this.root) ? this.root[keys[1]] : undefined
    const name = keys?.[2]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
    return isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : false
  }

  private findRangeProblem(schema: Schema, value: unknown): string | undefined {
    if (typeof value === 'number') return findNumberProblem(schema, value)
    if (typeof value !== 'string') return undefined
    const { minLength, maxLength, pattern } = schema
    const length = Array.from(value).length
    if (typeof minLength === 'number' && length < minLength) return `Too short: at least ${minLength} characters.`
    if (typeof maxLength === 'number' && length > maxLength) return `Too long: at most ${maxLength} characters.`
    if (typeof pattern === 'string' && !this.options.testPattern(pattern, value)) return `Must match the pattern ${pattern}.`
    return undefined
  }

  /** Of the items of a list and the fields of an object. */
  private findPartProblem(schema: Schema, value: unknown, path: readonly string[], depth: number): FieldProblem | undefined {
    const fail = (message: string) => ({ path, message })
    if (Array.isArray(value)) {
      const { minItems, maxItems, uniqueItems, items } = schema
      if (typeof minItems === 'number' && value.length < minItems) return fail(`Too few: at least ${minItems}.`)
      if (typeof maxItems === 'number' && value.length > maxItems) return fail(`Too many: at most ${maxItems}.`)
      if (uniqueItems === true && new Set(value.map(toJsonKey)).size < value.length) return fail('The items must differ.')
      if (items === undefined) return undefined
      for (const [index, item] of value.entries()) {
        const problem = this.find(items, item, [...path, String(index)], depth + 1)
        if (problem) return problem
      }
      return undefined
    }
    if (!isJsonObject(value)) return undefined
    const { required, properties, additionalProperties = true } = schema
    const missing = Array.isArray(required)
      ? required.find((key) => typeof key === 'string' && !Object.hasOwn(value, key))
      : undefined
    if (missing !== undefined) return { path: [...path, String(missing)], message: 'This field is required.' }
    for (const [key, part] of Object.entries(value)) {
      const isKnown = isJsonObject(properties) && Object.hasOwn(properties, key)
      const problem = this.find(isKnown ? properties[key] : additionalProperties, part, [...path, key], depth + 1)
      if (problem) return problem
    }
    return undefined
  }
}

function findTypeProblem({ type, enum: values, ...schema }: Schema, value: unknown): string | undefined {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((each) => hasType(value, each))) {
    return `Must be ${types.map((each) => typeNames.get(each) ?? String(each)).join(' or ')}, not ${formatValue(value)}.`
  }
  if (Array.isArray(values) && !values.some((each) => toJsonKey(each) === toJsonKey(value))) {
    return `Must be one of: ${values.slice(0, 20).map(toJsonKey).join(', ')}${values.length > 20 ? ', …' : ''}.`
  }
  if (Object.hasOwn(schema, 'const') && toJsonKey(schema['const']) !== toJsonKey(value))
    return `Must be ${toJsonKey(schema['const'])}.`
  return undefined
}

const typeNames = new Map<unknown, string>([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
])

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function findNumberProblem(schema: Schema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return `Must be ${minimum} or greater, not ${value}.`
  if (typeof maximum === 'number' && value > maximum) return `Must be ${maximum} or less, not ${value}.`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `Must be greater than ${exclusiveMinimum}.`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `Must be less than ${exclusiveMaximum}.`
  if (typeof multipleOf === 'number' && multipleOf > 0) {
    const quotient = value / multipleOf
    // 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996.
    if (Math.abs(quotient - Math.round(quotient)) > 1e-9) return `Must be a multiple of ${multipleOf}, not ${value}.`
  }
  return undefined
}

function describeChoice(schemas: readonly unknown[], value: unknown): string {
  const types = schemas.map((each) => (isJsonObject(each) ? typeNames.get(each['type']) : undefined))
  const isListed = types.every((type) => type !== undefined)
  const expected = isListed ? `: ${[...new Set(types)].join(' or ')}` : ''
  return `${formatValue(value)} is none of what this scorer allows${expected}.`
}

/** Equal for equal JSON, whatever the order of keys. */
export function toJsonKey(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1))) : part,
  )
}

const numericKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength']

/** What is wrong with a schema itself; undefined where answers can be checked against it. */
export function findSchemaProblem(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return 'The schema of the answers must be an object, such as {"type": "boolean"}.'
  const { type, enum: values, pattern } = schema
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const unknown = types.find((each) => !typeNames.has(each))
  if (unknown !== undefined)
    return `Unknown type ${formatValue(unknown)}. Known: ${[...typeNames.keys()].map(String).join(', ')}.`
  if (values !== undefined && (!Array.isArray(values) || values.length === 0))
    return "'enum' must be a list of the allowed values."
  const wrong = numericKeywords.find((key) => schema[key] !== undefined && typeof schema[key] !== 'number')
  if (wrong !== undefined) return `'${wrong}' must be a number.`
  if (pattern === undefined) return undefined
  try {
    if (typeof pattern === 'string') return void new RegExp(pattern, 'u')
    return "'pattern' must be a text."
  } catch {
    return `'pattern' is no regular expression: ${formatValue(pattern)}.`
  }
}
