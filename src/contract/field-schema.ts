import { formatValue, isJsonObject, truncate } from './json-value'
import { isLongerThan } from './schema'

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
export type FieldProblem = { path: readonly string[]; message: string; isTooComplex?: true }

export type FieldCheckOptions = {
  /** Whether `pattern` occurs in `text`. It comes from outside: a `RegExp` may take for ever. */
  testPattern: (pattern: string, text: string) => boolean
}

const maxDepth = 32
/**
 * Schemas may refer to themselves twice, and then the work doubles with each level. They may also look at a long value in
 * thousands of places. A step takes about a microsecond.
 */
const maxSteps = 10_000
/** Entries of lists and characters of JSON that are compared in a step. */
const entriesPerStep = 100
const charactersCountedPerStep = 1000
/** A test may be a statement of the engine. */
const stepsPerPattern = 100

const tooComplex = 'The schema of this scorer, or this value, is too complex.'

/** The first problem of a value; undefined where the schema allows it. */
export function findFieldProblem(schema: unknown, value: unknown, options: FieldCheckOptions): FieldProblem | undefined {
  const check = new FieldCheck(schema, options)
  const problem = check.find(schema, value, [], 0)
  return check.isTooComplex ? { path: [], message: tooComplex, isTooComplex: true } : problem
}

class FieldCheck {
  private steps = 0

  get isTooComplex(): boolean {
    return this.steps > maxSteps
  }

  constructor(
    private readonly root: unknown,
    private readonly options: FieldCheckOptions,
  ) {}

  find(schema: unknown, value: unknown, path: readonly string[], depth: number): FieldProblem | undefined {
    const fail = (message: string) => ({ path, message })
    this.spend(depth > maxDepth ? Infinity : 1)
    if (this.isTooComplex) return fail(tooComplex)
    if (schema === true) return undefined
    if (!isJsonObject(schema)) return fail('No value is allowed here.')
    const { type, $ref: ref, allOf = [], anyOf, oneOf, not } = schema
    if (Array.isArray(type)) this.spend(type.length / entriesPerStep)
    const isValid = (each: unknown) => this.find(each, value, path, depth + 1) === undefined
    const ownMessage =
      findTypeProblem(schema, value) ?? this.findChoiceProblem(schema, value) ?? this.findRangeProblem(schema, value)
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

  private spend(steps: number): void {
    this.steps += steps
  }

  private resolve(ref: string): unknown {
    this.spend(ref.length / entriesPerStep)
    const keys = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref)
    const definitions = keys?.[1] !== undefined && isJsonObject(this.root) ? this.root[keys[1]] : undefined
    const name = keys?.[2]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
    return isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : false
  }

  private areDifferent(values: readonly unknown[]): boolean {
    const keys = new Set<string>()
    for (const value of values) {
      if (!this.isTooComplex) keys.add(this.toKey(value))
    }
    return keys.size === values.length
  }

  private findRangeProblem(schema: Schema, value: unknown): string | undefined {
    if (typeof value === 'number') return findNumberProblem(schema, value)
    if (typeof value !== 'string') return undefined
    const { minLength, maxLength, pattern } = schema
    if (typeof minLength === 'number' && !this.isLongerThan(value, Math.ceil(minLength) - 1))
      return `Too short: at least ${minLength} characters.`
    if (typeof maxLength === 'number' && this.isLongerThan(value, maxLength)) return `Too long: at most ${maxLength} characters.`
    if (typeof pattern !== 'string') return undefined
    this.spend(stepsPerPattern)
    const isMatch = this.isTooComplex || this.options.testPattern(pattern, value)
    return isMatch ? undefined : `Must match the pattern ${truncate(pattern)}.`
  }

  private isLongerThan(text: string, max: number): boolean {
    this.spend(text.length / charactersCountedPerStep)
    return isLongerThan(text, max)
  }

  private findChoiceProblem(schema: Schema, value: unknown): string | undefined {
    const { enum: values } = schema
    if (Array.isArray(values) && !this.isAmong(values, value)) {
      return `Must be one of: ${values
        .slice(0, 20)
        .map((each) => this.toKey(each))
        .join(', ')}${values.length > 20 ? ', …' : ''}.`
    }
    if (Object.hasOwn(schema, 'const') && !this.isAmong([schema['const']], value))
      return `Must be ${this.toKey(schema['const'])}.`
    return undefined
  }

  private isAmong(values: readonly unknown[], value: unknown): boolean {
    this.spend(values.length / entriesPerStep)
    if (typeof value !== 'object' || value === null) return values.includes(value)
    this.spend(values.length)
    const key = this.toKey(value)
    return values.some((each) => typeof each === 'object' && toJsonKey(each) === key)
  }

  private toKey(value: unknown): string {
    const key = toJsonKey(value)
    this.spend(1 + key.length / entriesPerStep)
    return key
  }

  /** Of the items of a list and the fields of an object. */
  private findPartProblem(schema: Schema, value: unknown, path: readonly string[], depth: number): FieldProblem | undefined {
    const fail = (message: string) => ({ path, message })
    if (Array.isArray(value)) {
      const { minItems, maxItems, uniqueItems, items } = schema
      if (typeof minItems === 'number' && value.length < minItems) return fail(`Too few: at least ${minItems}.`)
      if (typeof maxItems === 'number' && value.length > maxItems) return fail(`Too many: at most ${maxItems}.`)
      if (uniqueItems === true && !this.areDifferent(value)) return fail('The items must differ.')
      if (items === undefined || items === true) return undefined
      for (const [index, item] of value.entries()) {
        const problem = this.find(items, item, [...path, String(index)], depth + 1)
        if (problem) return problem
      }
      return undefined
    }
    if (!isJsonObject(value)) return undefined
    const { required, properties, additionalProperties = true } = schema
    if (Array.isArray(required)) this.spend(required.length / entriesPerStep)
    const missing = Array.isArray(required)
      ? required.find((key) => typeof key === 'string' && !Object.hasOwn(value, key))
      : undefined
    if (missing !== undefined) return { path: [...path, String(missing)], message: 'This field is required.' }
    if (properties === undefined && additionalProperties === true) return undefined
    const entries = Object.entries(value)
    this.spend(entries.length / entriesPerStep)
    for (const [key, part] of entries) {
      const isKnown = isJsonObject(properties) && Object.hasOwn(properties, key)
      const problem = this.find(isKnown ? properties[key] : additionalProperties, part, [...path, key], depth + 1)
      if (problem) return problem
    }
    return undefined
  }
}

function findTypeProblem({ type }: Schema, value: unknown): string | undefined {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((each) => hasType(value, each))) {
    return `Must be ${types.map((each) => typeNames.get(each) ?? String(each)).join(' or ')}, not ${formatValue(value)}.`
  }
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
