import { isAnswerOptional } from '../../../contract/annotation-spec'
import { findFieldProblem } from '../../../contract/field-schema'
import { isJsonObject } from '../../../contract/json-value'
import { filterOptions } from '../../ui/filter-options'

export type Choice = {
  label: string
  value: unknown
  /** The key that chooses it. Digits choose only where they stand: beside another field they would change yes to no unseen. */
  key: string | undefined
}

export type NumberControl = { kind: 'number'; min: number | undefined; max: number | undefined; step: number | undefined }

/** How a person answers an annotation spec. */
export type AnswerControl =
  | { kind: 'one-of' | 'some-of'; choices: readonly Choice[] }
  | NumberControl
  | { kind: 'text'; maxLength: number | undefined }
  /** Lists, objects and whatever else has no control of its own: typed as JSON. */
  | { kind: 'json' }

type Schema = Readonly<Record<string, unknown>>

/** The keys 1 to 9. */
export const maxChoiceKeys = 9
/** More are not drawn all at once, but found by typing. */
const maxButtons = 30

/** A scale has a button for each value, which is its key too. */
const maxScaleValue = 9

/**
 * The control for the answers that a schema allows.
 *
 * @example toAnswerControl({ type: 'boolean' }) // { kind: 'one-of', choices: [{ label: 'Yes', value: true, key: 'y' }, …] }
 */
export function toAnswerControl(fieldSchema: Schema): AnswerControl {
  const schema = unwrap(fieldSchema, fieldSchema)
  const { type, enum: values, items, maxLength } = schema
  if (Array.isArray(values)) return { kind: 'one-of', choices: toChoices(values) }
  if (type === 'boolean') {
    return {
      kind: 'one-of',
      choices: [
        { label: 'Yes', value: true, key: 'y' },
        { label: 'No', value: false, key: 'n' },
      ],
    }
  }
  if (type === 'integer' || type === 'number') return toNumberControl(schema)
  if (type === 'string') return { kind: 'text', maxLength: toNumber(maxLength) }
  const itemValues = type === 'array' && isJsonObject(items) ? unwrap(items, fieldSchema)['enum'] : undefined
  return Array.isArray(itemValues) ? { kind: 'some-of', choices: toChoices(itemValues) } : { kind: 'json' }
}

function toNumberControl(schema: Schema): AnswerControl {
  const isInteger = schema['type'] === 'integer'
  const above = toNumber(schema['exclusiveMinimum'])
  const below = toNumber(schema['exclusiveMaximum'])
  const min = toNumber(schema['minimum']) ?? (isInteger && above !== undefined ? Math.floor(above) + 1 : above)
  const max = toNumber(schema['maximum']) ?? (isInteger && below !== undefined ? Math.ceil(below) - 1 : below)
  const step = toNumber(schema['multipleOf']) ?? (isInteger ? 1 : undefined)
  if (step === 1 && min !== undefined && max !== undefined && Number.isInteger(min) && min >= 0 && max <= maxScaleValue) {
    const values = Array.from({ length: Math.max(0, Math.floor(max) - min + 1) }, (_, index) => min + index)
    return { kind: 'one-of', choices: values.map((value) => ({ label: String(value), value, key: String(value) })) }
  }
  return { kind: 'number', min, max, step }
}

function toChoices(values: readonly unknown[]): Choice[] {
  return values
    .filter((value) => value !== null)
    .map((value, index) => ({
      label: toChoiceLabel(value),
      value,
      key: index < maxChoiceKeys ? String(index + 1) : undefined,
    }))
}

export function toChoiceLabel(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function hasManyChoices(control: AnswerControl): control is AnswerControl & { kind: 'one-of' | 'some-of' } {
  return 'choices' in control && control.choices.length > maxButtons
}

/** The choices whose labels have every typed word, in any order. Those that begin with the text come first. */
export function findChoices(choices: readonly Choice[], text: string): readonly Choice[] {
  if (text.trim() === '') return choices
  const options = choices.map(({ label }, index) => ({ id: String(index), label }))
  return filterOptions(options, text).flatMap(({ id }) => choices[Number(id)] ?? [])
}

/** What pydantic writes around a type: `Optional[X]` is `anyOf` with null, an Enum a `$ref`, each sometimes alone in `allOf`. */
function unwrap(schema: Schema, root: Schema, depth = 0): Schema {
  const { type, anyOf, oneOf, allOf, $ref: ref } = schema
  const isNull = (each: unknown) => each === 'null' || (isJsonObject(each) && each['type'] === 'null')
  const alternatives = [anyOf, oneOf, allOf].find(Array.isArray)?.filter((each) => !isNull(each)) ?? []
  const [, group = '', name = ''] = (typeof ref === 'string' && /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref)) || []
  const definitions = root[group]
  const inner: unknown = isJsonObject(definitions) ? definitions[name] : alternatives.length === 1 ? alternatives[0] : undefined
  if (isJsonObject(inner) && depth < 8) return unwrap(inner, root, depth + 1)
  const types = Array.isArray(type) ? type.filter((each) => !isNull(each)) : []
  return types.length === 1 ? { ...schema, type: types[0] as unknown } : schema
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Patterns are tested by the service: a `RegExp` of a scorer may hold up this page for ever. */
const options = { testPattern: () => true }

/** Whether an item may be completed without this answer: the schema says so, or allows null, an empty text or no choice at all. */
export function isOptional(fieldSchema: Schema, { kind }: AnswerControl): boolean {
  const nothing = kind === 'text' ? '' : kind === 'some-of' ? [] : null
  return (
    isAnswerOptional(fieldSchema) || [nothing, null].some((value) => findFieldProblem(fieldSchema, value, options) === undefined)
  )
}

/** What is entered in a control: the value of a choice, those of several, or text as it was typed. */
export type Entered = unknown

export type ReadAnswer = { value: unknown } | { problem: string } | undefined

/** The answer that is entered; undefined where there is none and none is needed. */
export function readAnswer(fieldSchema: Schema, control: AnswerControl, entered: Entered): ReadAnswer {
  const isEmpty = entered === undefined || (typeof entered === 'string' && entered.trim() === '') || isEmptyList(entered)
  if (isEmpty) return isOptional(fieldSchema, control) ? undefined : { problem: missing[control.kind] }
  const isTyped = typeof entered === 'string' && (control.kind === 'number' || control.kind === 'json')
  const read = isTyped ? parse(control.kind, entered) : { value: entered }
  if ('problem' in read) return read
  const problem = findFieldProblem(fieldSchema, read.value, options)
  return problem ? { problem: [...problem.path, problem.message].join(': ') } : read
}

const missing: Readonly<Record<AnswerControl['kind'], string>> = {
  'one-of': 'Choose one.',
  'some-of': 'Choose at least one.',
  number: 'Enter a number.',
  text: 'Enter a text.',
  json: 'Enter a value as JSON.',
}

function isEmptyList(entered: Entered): boolean {
  return Array.isArray(entered) && entered.length === 0
}

function parse(kind: AnswerControl['kind'], text: string): { value: unknown } | { problem: string } {
  if (kind === 'number') {
    const value = parseNumber(text)
    return value === undefined ? { problem: 'Enter a number, such as 0.5.' } : { value }
  }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { problem: 'This is not JSON. Texts need quotes: "so".' }
  }
}

/** @example parseNumber('1e3') // 1000; undefined for '', '3-' and '1e999' */
export function parseNumber(text: string): number | undefined {
  const number = Number(text)
  // JavaScript reads no text as 0.
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** How an answer that is stored stands in its control. */
export function toEntered({ kind }: AnswerControl, value: unknown): Entered {
  return kind === 'number' || kind === 'json' ? JSON.stringify(value) : value
}

/** What is entered after a press of this choice. */
export function toggleChoice(kind: 'one-of' | 'some-of', entered: Entered, { value }: Choice): Entered {
  if (kind === 'one-of') return value
  const chosen = listChosen(kind, entered)
  return chosen.some((each) => isSameValue(each, value)) ? chosen.filter((each) => !isSameValue(each, value)) : [...chosen, value]
}

export function listChosen(kind: 'one-of' | 'some-of', entered: Entered): readonly unknown[] {
  if (kind === 'one-of') return entered === undefined ? [] : [entered]
  return Array.isArray(entered) ? entered : []
}

export function isSameValue(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
