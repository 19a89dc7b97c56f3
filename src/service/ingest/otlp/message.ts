import type { Attributes, Json } from './attributes/attributes'

/** protobuf's wire types. https://protobuf.dev/programming-guides/encoding/#structure */
const varint = 0
const fixed64 = 1
const lengthDelimited = 2
const fixed32 = 5

/** What a field holds: how it is encoded, and `initial`, the value of a field that was not sent. */
export type FieldType<Value = unknown> = { readonly wireType: number; readonly initial: Value } & (
  | { readonly kind: 'string' | 'id' | 'bytes' | 'bool' | 'uint32' | 'fixed32' | 'int64' | 'double' | 'unixNano' }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'message' | 'list'; readonly message: () => MessageFields }
  | { readonly kind: 'attributes'; readonly message: () => MessageFields<KeyValue> }
)

export const stringField: FieldType<string> = { kind: 'string', wireType: lengthDelimited, initial: '' }
/** Bytes, in JSON hex and not base64; the value is lower-case hex of whatever length was sent. */
export const idField: FieldType<string> = { kind: 'id', wireType: lengthDelimited, initial: '' }
/** The value is base64. */
export const bytesField: FieldType<string> = { kind: 'bytes', wireType: lengthDelimited, initial: '' }
export const boolField: FieldType<boolean> = { kind: 'bool', wireType: varint, initial: false }
export const uint32Field: FieldType<number> = { kind: 'uint32', wireType: varint, initial: 0 }
export const fixed32Field: FieldType<number> = { kind: 'fixed32', wireType: fixed32, initial: 0 }
export const int64Field: FieldType<Json> = { kind: 'int64', wireType: varint, initial: 0 }
export const doubleField: FieldType<Json> = { kind: 'double', wireType: fixed64, initial: 0 }
/** A fixed64 that counts nanoseconds since 1970. */
export const unixNanoField: FieldType<bigint> = { kind: 'unixNano', wireType: fixed64, initial: 0n }

/** An enum whose numbers count from 0. The value is the number, a number without a name too. */
export function enumField(prefix: string, names: readonly string[]): FieldType<number> {
  return { kind: 'enum', names: names.map((name) => `${prefix}${name}`), wireType: varint, initial: 0 }
}

// Messages are named by functions, because values contain values.

export function messageField<Value>(message: () => MessageFields<Value>): FieldType<Value | undefined> {
  return { kind: 'message', message, wireType: lengthDelimited, initial: undefined }
}

export function listField<Value>(message: () => MessageFields<Value>): FieldType<readonly Value[]> {
  return { kind: 'list', message, wireType: lengthDelimited, initial: [] }
}

export function attributesField(keyValue: () => MessageFields<KeyValue>): FieldType<Attributes> {
  return { kind: 'attributes', message: keyValue, wireType: lengthDelimited, initial: new Map() }
}

export type KeyValue = { key: string; value: Json | undefined }

export type MessageField = FieldType & {
  readonly number: number
  /** The JSON name, lowerCamelCase; also the name in the decoded value. */
  readonly name: string
  /** The name in the protobuf definition, which JSON may use as well. */
  readonly snakeCaseName: string
}

/** One table for both encodings. */
export type MessageFields<Value = unknown> = {
  /** The subject of error messages: 'A span'. */
  readonly title: string
  readonly fields: readonly MessageField[]
  readonly fieldByNumber: readonly (MessageField | undefined)[]
  /** At most one field is sent, and its value is the value of the message. */
  readonly isOneof: boolean
  /** The fields of a message that sends none. */
  readonly initial: Readonly<Record<string, unknown>>
  /** Makes the value of the decoded fields, or of the one field of a oneof. */
  readonly toValue: (decoded: unknown) => Value
}

type FieldTable = Readonly<Record<string, readonly [number: number, type: FieldType]>>
type ValueOf<Type> = Type extends FieldType<infer Value> ? Value : never
type FieldValues<Table extends FieldTable> = { [Name in keyof Table]: ValueOf<Table[Name][1]> }

/** A message whose value is an object with a property for each field. */
export function defineMessage<Table extends FieldTable>(title: string, table: Table): MessageFields<FieldValues<Table>> {
  return { ...indexFields(title, table), isOneof: false, toValue: (decoded) => decoded as FieldValues<Table> } // decoded by this table
}

/** A message whose value is the value of the one field it holds, null where it holds none. */
export function defineOneof<Table extends FieldTable>(
  title: string,
  table: Table,
): MessageFields<Exclude<FieldValues<Table>[keyof Table], undefined> | null> {
  type Value = Exclude<FieldValues<Table>[keyof Table], undefined> | null
  return { ...indexFields(title, table), isOneof: true, toValue: (decoded) => decoded as Value } // decoded by this table
}

export function mapMessage<From, To>(message: MessageFields<From>, map: (value: From) => To): MessageFields<To> {
  return { ...message, toValue: (decoded) => map(message.toValue(decoded)) }
}

function indexFields(title: string, table: FieldTable) {
  const fields = Object.entries(table).map(([name, [number, type]]): MessageField => {
    const snakeCaseName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return Object.assign({ number, name, snakeCaseName }, type)
  })
  const fieldByNumber: MessageField[] = []
  for (const field of fields) fieldByNumber[field.number] = field
  return { title, fields, fieldByNumber, initial: Object.fromEntries(fields.map(({ name, initial }) => [name, initial])) }
}

/** Finds a field by its JSON name. */
export function findField<Value>(message: MessageFields<Value>, name: keyof Value): MessageField {
  const field = message.fields.find((each) => each.name === name)
  if (!field) throw new Error(`${message.title} has no field '${String(name)}'.`)
  return field
}

/** The value of a message that sends no field. */
export function emptyValue<Value>(message: MessageFields<Value>): Value {
  return message.toValue(message.isOneof ? null : message.initial)
}

export function toJsonInteger(value: bigint): Json {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)
}

export function toJsonDouble(value: number): Json {
  return Number.isFinite(value) ? value : String(value)
}
