import { isAnswerOptional } from '../../../contract/annotation-spec'
import { readFieldKind } from '../../../contract/field-schema'
import { isJsonObject } from '../../../contract/json-value'

type Schema = Readonly<Record<string, unknown>>

/**
 * What a reviewer may answer, in words. Choices are counted; `listSchemaChoices` has them.
 *
 * @example describeAnswer({ type: 'integer', minimum: 1, maximum: 5 }) // 'whole number from 1 to 5'
 */
export function describeAnswer(schema: Schema): string {
  const words = describeKind(schema)
  const { minLength } = schema
  const allowsNothing = readFieldKind(schema) === 'text' && !(typeof minLength === 'number' && minLength > 0)
  return allowsNothing || isAnswerOptional(schema) ? `${words}, optional` : words
}

function describeKind(schema: Schema): string {
  const { type, maxLength, multipleOf } = schema
  switch (readFieldKind(schema)) {
    case 'boolean':
      return 'yes or no'
    case 'category':
      return `one of ${listSchemaChoices(schema).length} categories`
    case 'text':
      return typeof maxLength === 'number' ? `text, at most ${maxLength} characters` : 'text'
    case 'number': {
      const words = `${type === 'integer' ? 'whole number' : 'number'}${describeRange(schema)}`
      return typeof multipleOf === 'number' ? `${words}, in steps of ${multipleOf}` : words
    }
    case 'other': {
      const { length } = listSchemaChoices(schema)
      return length > 0 ? `several of ${length} categories` : type === 'array' ? 'several values' : 'an answer of another form'
    }
  }
}

function describeRange({ minimum, maximum }: Schema): string {
  const hasMin = typeof minimum === 'number'
  if (typeof maximum !== 'number') return hasMin ? `, at least ${minimum}` : ''
  return hasMin ? ` from ${minimum} to ${maximum}` : `, at most ${maximum}`
}

/** The choices of a category, or of a list of categories, as text; [] for other answers. */
export function listSchemaChoices({ enum: own, items }: Schema): string[] {
  const choices = own ?? (isJsonObject(items) ? items['enum'] : undefined)
  return Array.isArray(choices) ? choices.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))) : []
}
