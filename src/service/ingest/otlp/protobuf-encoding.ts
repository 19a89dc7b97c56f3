import { Reader } from 'protobufjs/minimal.js'
import type { Encoding } from './encoding'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { Json } from './attributes/attributes'
import { type MessageField, findField, type MessageFields, toJsonDouble, toJsonInteger } from './message'
import { ValueBudget } from './value-budget'

/**
 * OTLP as protobuf bytes, read field by field. The library's own messages are not used: they are made by `new Function` and
 * hold a whole request in memory at once.
 */
export const protobufEncoding: Encoding<Uint8Array> = {
  *messagesIn(owner, message, name) {
    const field = findField(message, name)
    try {
      const reader = readerOf(owner)
      while (reader.pos < reader.len) {
        const tag = reader.tag()
        if (tag >>> 3 === field.number) {
          if ((tag & 7) !== field.wireType) throw wrongWireType(field, tag & 7)
          yield reader.bytes()
        } else reader.skipType(tag & 7, 0, tag >>> 3)
      }
    } catch (error) {
      throw toInvalidOtlp(error)
    }
  },
  decode(bytes, message) {
    requireText(bytes)
    try {
      return decodeMessage(readerOf(bytes), message, new ValueBudget(), 0)
    } catch (error) {
      throw toInvalidOtlp(error)
    }
  },
}

function decodeMessage<Value>(reader: Reader, message: MessageFields<Value>, budget: ValueBudget, depth: number): Value {
  if (message.isOneof) return message.toValue(decodeOneof(reader, message, budget, depth))
  const fields: Record<string, unknown> = { ...message.initial }
  while (reader.pos < reader.len) {
    const tag = reader.tag()
    const field = message.fieldByNumber[tag >>> 3]
    if (field) fields[field.name] = decodeField(reader, tag & 7, field, fields, budget, depth)
    else reader.skipType(tag & 7, 0, tag >>> 3)
  }
  return message.toValue(fields)
}

function decodeOneof(reader: Reader, message: MessageFields, budget: ValueBudget, depth: number): unknown {
  let value: unknown = null
  while (reader.pos < reader.len) {
    const tag = reader.tag()
    const field = message.fieldByNumber[tag >>> 3]
    if (field) value = decodeField(reader, tag & 7, field, noFields, budget, depth + 1)
    else reader.skipType(tag & 7, 0, tag >>> 3)
  }
  return value
}

const noFields: Readonly<Record<string, unknown>> = {}

/** `earlier` are the fields so far: the items of a list are fields of their own, with others between them. */
function decodeField(
  reader: Reader,
  wireType: number,
  field: MessageField,
  earlier: Readonly<Record<string, unknown>>,
  budget: ValueBudget,
  depth: number,
): unknown {
  if (wireType !== field.wireType) throw wrongWireType(field, wireType)
  switch (field.kind) {
    case 'message':
      return decodeNested(reader, field.message(), budget, depth)
    case 'attributes': {
      budget.take(depth)
      const before = earlier[field.name]
      const attributes = before === field.initial ? new Map<string, Json>() : (before as Map<string, Json>) // made here for the first attribute
      const { key, value = null } = decodeNested(reader, field.message(), budget, depth)
      return attributes.set(key, value)
    }
    case 'string':
      // Bytes that are no UTF-8 become U+FFFD.
      return reader.string()
    case 'id':
      return toBuffer(reader.bytes()).toString('hex')
    case 'bytes':
      return toBuffer(reader.bytes()).toString('base64')
    case 'bool':
      return reader.bool()
    case 'enum':
    case 'uint32':
      return reader.uint32()
    case 'fixed32':
      return reader.fixed32()
    case 'int64': {
      const { low, high } = reader.int64()
      return toJsonInteger((BigInt(high) << 32n) | BigInt(low >>> 0))
    }
    case 'unixNano': {
      const low = reader.fixed32()
      return (BigInt(reader.fixed32()) << 32n) | BigInt(low)
    }
    case 'double':
      return toJsonDouble(reader.double())
    case 'list': {
      budget.take(depth)
      const before = earlier[field.name]
      const items = before === field.initial ? [] : (before as unknown[]) // made here for the first item
      items.push(decodeNested(reader, field.message(), budget, depth))
      return items
    }
  }
}

/** Decodes the message that the reader stands before, with the reader's end set to the end of that message. */
function decodeNested<Value>(reader: Reader, message: MessageFields<Value>, budget: ValueBudget, depth: number): Value {
  const length = reader.size()
  const end = reader.len
  if (reader.pos + length > end) throw malformed()
  reader.len = reader.pos + length
  const value = decodeMessage(reader, message, budget, depth)
  reader.len = end
  return value
}

function wrongWireType(field: MessageField, wireType: number): InvalidOtlpError {
  return new InvalidOtlpError(`Field ${field.number} ('${field.name}') cannot have the wire type ${wireType}.`)
}

const maxControlCharacters = 1024 * 1024

/** JSON writes a control character as six, and as seven in text that holds JSON: a few megabytes would fill the memory. */
function requireText(bytes: Uint8Array): void {
  if (bytes.length <= maxControlCharacters) return
  let count = 0
  for (const byte of bytes) if (byte < 0x20) count += 1
  if (count > maxControlCharacters) {
    throw new InvalidOtlpError('A span may hold 1,048,576 control characters. Send bytes as bytes, not as text.')
  }
}

/** The library throws plain errors and `RangeError` for bytes that it cannot read; any other error is a bug. */
function toInvalidOtlp(error: unknown): unknown {
  const isOfLibrary = error instanceof RangeError || (error instanceof Error && error.constructor === Error)
  return isOfLibrary ? malformed({ cause: error }) : error
}

function malformed(options?: ErrorOptions): InvalidOtlpError {
  return new InvalidOtlpError('The protobuf is cut short or malformed.', options)
}

function readerOf(bytes: Uint8Array): Reader {
  return Reader.create(toBuffer(bytes))
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
