import * as z from 'zod/mini'
import { isAnswerOptional, optionalAnswerKeyword, parseAnnotationSpec } from '../../../contract/annotation-spec'
import { toJsonKey } from '../../../contract/field-schema'

const answerTypes = ['boolean', 'category', 'number', 'text', 'other'] as const

/** What the editor of a scorer holds. Numbers are as they were typed, '' where they are not set. */
export const ScorerValues = z.object({
  name: z.string(),
  description: z.string(),
  /** `other`: a schema that the editor has no fields for. It stays as it is. */
  type: z.enum(answerTypes),
  /** In their order. Empty ones are fields that nobody has filled in yet. */
  choices: z.array(z.string()),
  min: z.string(),
  max: z.string(),
  step: z.string(),
  isWhole: z.boolean(),
  maxLength: z.string(),
  isRequired: z.boolean(),
})
export type ScorerValues = z.infer<typeof ScorerValues>
export type ScorerProblems = Partial<Record<keyof ScorerValues, string>>

export const emptyScorer: ScorerValues = {
  name: '',
  description: '',
  type: 'boolean',
  choices: ['', ''],
  min: '1',
  max: '5',
  step: '',
  isWhole: true,
  maxLength: '',
  isRequired: true,
}

type JsonObject = Readonly<Record<string, unknown>>

/** The JSON Schema of the answers, with the keywords that pydantic writes. None for a schema that the editor cannot express. */
export function toFieldSchema({ type, isRequired, ...values }: ScorerValues): JsonObject {
  const optional = isRequired ? {} : { [optionalAnswerKeyword]: true }
  const setNumbers = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text.trim() === '' ? [] : [[key, Number(text)]])))
  if (type === 'category') return { type: 'string', enum: listChoices(values), ...optional }
  // An empty text is no answer: where the schema allows it, nobody need write one.
  if (type === 'text')
    return { type: 'string', ...(isRequired && { minLength: 1 }), ...setNumbers({ maxLength: values.maxLength }) }
  if (type === 'boolean') return { type, ...optional }
  const { min: minimum, max: maximum, step: multipleOf } = values
  return { type: values.isWhole ? 'integer' : 'number', ...setNumbers({ minimum, maximum, multipleOf }), ...optional }
}

/** The value of the `AnnotationSpec` to store. What the editor does not show of the version before stays. */
export function toSpecValue(values: ScorerValues, before: JsonObject = {}): JsonObject {
  return {
    ...before,
    name: values.name.trim(),
    // Python writes null or '': the same content must stay the same version.
    description: values.description.trim() || (before['description'] === '' ? '' : null),
    field_schema: values.type === 'other' ? before['field_schema'] : toFieldSchema(values),
  }
}

/** The fields of the editor for the value of a version; undefined where it is no annotation spec. */
export function toScorerValues(value: unknown, objectId: string): ScorerValues | undefined {
  const spec = parseAnnotationSpec(value)
  if (!spec) return undefined
  const { fieldSchema: schema } = spec
  const { type, enum: choices, minimum, maximum, multipleOf, minLength, maxLength } = schema
  const isText = type === 'string' && !Array.isArray(choices)
  const toText = (number: unknown) => (typeof number === 'number' ? String(number) : '')
  const values: ScorerValues = {
    ...emptyScorer,
    name: spec.name ?? objectId,
    description: spec.description ?? '',
    type: Array.isArray(choices) ? 'category' : isText ? 'text' : type === 'boolean' ? type : 'number',
    ...(Array.isArray(choices) && { choices: choices.map(String) }),
    min: toText(minimum),
    max: toText(maximum),
    step: toText(multipleOf),
    isWhole: type !== 'number',
    maxLength: toText(maxLength),
    isRequired: isText ? minLength === 1 : !isAnswerOptional(schema),
  }
  // A schema is expressed only if the editor writes it again exactly.
  const isExpressed = toJsonKey(toFieldSchema(values)) === toJsonKey(schema)
  const isValid = Object.keys(findScorerProblems({ ...values, name: 'any' })).length === 0
  return isExpressed && isValid ? values : { ...values, type: 'other' }
}

export function listChoices({ choices }: Pick<ScorerValues, 'choices'>): string[] {
  return choices.map((choice) => choice.trim()).filter((choice) => choice !== '')
}

/**
 * The object's name in references: that of the scorer, with `-` for what W&B Weave does not allow in names.
 *
 * @example toScorerId('Polite tone?') // 'Polite-tone'
 */
export function toScorerId(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_.]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}

/** The reference to a version. Names may hold what a reference must encode. */
export function toScorerRef(projectId: string, { object_id, digest }: { object_id: string; digest: string }): string {
  const name = encodeURIComponent(object_id).replaceAll(
    /[!'()*~]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `weave:///${projectId}/object/${name}:${digest}`
}

/** The length of a name in a reference is at most 128, with each encoded byte counted as one. */
const maxNameLength = 128
/** A service of ours refuses answers to a larger spec. In characters of its JSON. */
const maxSpecLength = 60_000

/** What keeps a scorer from being stored, by field. */
export function findScorerProblems(values: ScorerValues): ScorerProblems {
  const id = toScorerId(values.name)
  const isLong = JSON.stringify(toSpecValue(values)).length > maxSpecLength
  return {
    ...(id === '' && { name: 'A name is required, with at least one letter or digit.' }),
    ...(encodeURIComponent(id).replaceAll(/%../g, '-').length > maxNameLength && {
      name: `The name is too long: at most ${maxNameLength} letters, or about 42 of scripts other than Latin.`,
    }),
    ...(isLong && {
      [values.type === 'category' ? 'choices' : 'description']: `Too long: at most ${maxSpecLength} characters together.`,
    }),
    ...(values.type === 'category' && findChoiceProblem(values)),
    ...(values.type === 'number' && findNumberProblems(values)),
    ...(values.type === 'text' && findLengthProblem(values)),
  }
}

function findChoiceProblem(values: ScorerValues): ScorerProblems {
  const choices = listChoices(values)
  const known = new Set<string>()
  const repeated = choices.find((choice) => known.size === known.add(choice).size)
  if (repeated !== undefined) return { choices: `“${repeated}” is there twice. Each category occurs once.` }
  return choices.length < 2 ? { choices: 'At least two categories are needed.' } : {}
}

function findLengthProblem({ maxLength }: ScorerValues): ScorerProblems {
  return maxLength.trim() === '' || /^\s*[1-9]\d{0,8}\s*$/.test(maxLength)
    ? {}
    : { maxLength: 'Must be a whole number, 1 or greater.' }
}

function findNumberProblems(values: ScorerValues): ScorerProblems {
  const problems: ScorerProblems = {}
  const numbers: Partial<Record<'min' | 'max' | 'step', number>> = {}
  for (const field of ['min', 'max', 'step'] as const) {
    const text = values[field].trim()
    if (text === '') continue
    const number = Number(text)
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) || !Number.isFinite(number))
      problems[field] = 'Must be a number, such as 5 or 0.5.'
    else if (values.isWhole && !Number.isSafeInteger(number)) problems[field] = 'Must be a whole number, or allow decimals.'
    else numbers[field] = number
  }
  const { min, max, step } = numbers
  if (min !== undefined && max !== undefined && min >= max) problems.max ??= `Must be greater than ${min}.`
  if (step === undefined) return problems
  if (step <= 0) problems.step = 'Must be greater than 0.'
  // `multipleOf` counts from 0, not from the least value: the ends would not be allowed.
  else if ([min, max].some((end) => end !== undefined && !isMultiple(end, step)))
    problems.step = 'Both ends of the range must be multiples of the step.'
  return problems
}

function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  // As in contract/field-schema.ts: 0.3 is a multiple of 0.1.
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9
}
