import { isJsonObject } from '../../../contract/json-value'
import type { Encoding } from './encoding'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { Json } from './attributes/attributes'
import { type MessageField, findField, type MessageFields, toJsonDouble, toJsonInteger } from './message'
import { ValueBudget } from './value-budget'

/** OTLP as parsed JSON. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export const jsonEncoding: Encoding<unknown> = {
  *messagesIn(owner, message, name) {
    const field = findField(message, name)
    const value = valueIn(toObject(owner, message), field)
    if (value === undefined || value === null) return
    if (field.kind === 'list') yield* withFieldName(field, () => toList(value, field))
    else yield value
  },
  decode: (value, message) => decodeMessage(value, message, new ValueBudget(), 0),
}

function decodeMessage<Value>(input: unknown, message: MessageFields<Value>, budget: ValueBudget, depth: number): Value {
  if (message.isOneof)
    return message.toValue(input === null ? null : decodeOneof(toObject(input, message), message, budget, depth))
  const object = toObject(input, message)
  const fields: Record<string, unknown> = { ...message.initial }
  for (const field of message.fields) {
    const value = valueIn(object, field)
    if (value !== undefined && value !== null)
      fields[field.name] = withFieldName(field, () => decodeField(value, field, budget, depth))
  }
  return message.toValue(fields)
}

function decodeOneof(object: JsonObject, message: MessageFields, budget: ValueBudget, depth: number): unknown {
  for (const field of message.fields) {
    const value = valueIn(object, field)
    if (value !== undefined && value !== null) return decodeField(value, field, budget, depth + 1)
  }
  return null
}

function decodeField(value: unknown, field: MessageField, budget: ValueBudget, depth: number): unknown {
  switch (field.kind) {
    case 'string':
    case 'bytes':
      return toText(value, field)
    case 'id':
      return toText(value, field).toLowerCase()
    case 'bool':
      return value === true || value === 'true'
    case 'enum':
      return toEnumNumber(value, field, field.names)
    case 'uint32':
    case 'fixed32':
      return Number(toInteger(value, field))
    case 'int64':
      return toJsonInteger(toInteger(value, field))
    case 'unixNano':
      return toNanoseconds(value, field)
    case 'double':
      return toDouble(value, field)
    case 'message':
      return decodeMessage(value, field.message(), budget, depth)
    case 'list':
      return toList(value, field).map((item) => {
        budget.take(depth)
        return decodeMessage(item, field.message(), budget, depth)
      })
    case 'attributes': {
      const attributes = new Map<string, Json>()
      for (const item of toList(value, field)) {
        budget.take(depth)
        const { key, value: own = null } = decodeMessage(item, field.message(), budget, depth)
        attributes.set(key, own)
      }
      return attributes
    }
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/** No name of a field is also one of JavaScript's, so what a message lacks is undefined. */
function valueIn(object: JsonObject, field: MessageField): unknown {
  return object[field.name] ?? object[field.snakeCaseName]
}

function toObject(value: unknown, message: MessageFields): JsonObject {
  if (isJsonObject(value)) return value
  throw new InvalidOtlpError(`${message.title} must be an object.`)
}

function toList(value: unknown, field: MessageField): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalidField(field, 'a list')
}

function toText(value: unknown, field: MessageField): string {
  if (typeof value === 'string') return value
  throw invalidField(field, 'text')
}

function toEnumNumber(value: unknown, field: MessageField, names: readonly string[]): number {
  const number = typeof value === 'string' ? names.indexOf(value) : value
  if (typeof number === 'number' && number >= 0 && Number.isInteger(number)) return number
  throw invalidField(field, `a number or one of ${names.join(', ')}`)
}

function toInteger(value: unknown, field: MessageField): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw invalidField(field, 'a whole number, as a number or as decimal text')
}

function toNanoseconds(value: unknown, field: MessageField): bigint {
  const nanoseconds = toInteger(value, field)
  if (nanoseconds >= 0n) return nanoseconds
  throw invalidField(field, 'nanoseconds since 1970, not less than 0')
}

/** https://protobuf.dev/programming-guides/json/ */
const doubleText = /^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function toDouble(value: unknown, field: MessageField): Json {
  if (typeof value === 'number') return toJsonDouble(value)
  if (typeof value === 'string' && doubleText.test(value)) return toJsonDouble(Number(value))
  throw invalidField(field, "a number, as a number or as text; also 'NaN', 'Infinity' or '-Infinity'")
}

function invalidField(field: MessageField, expected: string): InvalidOtlpError {
  return new InvalidOtlpError(`'${field.name}' must be ${expected}.`)
}

/** Problems name the field of the outermost message, so each message on the way out writes its own over it. */
function withFieldName<Value>(field: MessageField, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidOtlpError) error.fieldName = field.name
    throw error
  }
}
