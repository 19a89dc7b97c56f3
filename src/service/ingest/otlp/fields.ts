import { Reader } from 'protobufjs/minimal.js'

/** Bytes that are not the protobuf message they should be; the message continues "…: it is ". */
export class MalformedProtobuf extends Error {
  override readonly name = 'MalformedProtobuf'
}

const varint = 0
const fixed64 = 1
const lengthDelimited = 2
const fixed32 = 5

/**
 * The fields of one protobuf message, one after the other; a field whose value is not asked for is skipped. Read by hand
 * and not by the library's messages: those are made by `new Function` and hold a whole request in memory at once.
 * Every method throws a `MalformedProtobuf`, or a plain error of the library's: `asMalformed` makes one of both.
 */
export class Fields {
  /** The number of the field that `next` found. */
  number = 0
  private wireType = 0
  private isRead = true
  private readonly reader: Reader

  constructor(bytes: Uint8Array) {
    this.reader = Reader.create(asBuffer(bytes))
  }

  next(): boolean {
    if (!this.isRead) this.reader.skipType(this.wireType, 0, this.number)
    this.isRead = false
    if (this.reader.pos >= this.reader.len) return false
    const tag = this.reader.tag()
    this.number = tag >>> 3
    this.wireType = tag & 7
    return true
  }

  bytes(): Uint8Array {
    this.expect(lengthDelimited)
    return this.reader.bytes()
  }

  /** Bytes that are no UTF-8 become U+FFFD. */
  text(): string {
    this.expect(lengthDelimited)
    return this.reader.string()
  }

  hex(): string {
    return asBuffer(this.bytes()).toString('hex')
  }

  base64(): string {
    return asBuffer(this.bytes()).toString('base64')
  }

  boolean(): boolean {
    this.expect(varint)
    return this.reader.bool()
  }

  uint32(): number {
    this.expect(varint)
    return this.reader.uint32()
  }

  int64(): bigint {
    this.expect(varint)
    const { low, high } = this.reader.int64()
    return (BigInt(high) << 32n) | BigInt(low >>> 0)
  }

  fixed32(): number {
    this.expect(fixed32)
    return this.reader.fixed32()
  }

  fixed64(): bigint {
    this.expect(fixed64)
    const low = this.reader.fixed32()
    return (BigInt(this.reader.fixed32()) << 32n) | BigInt(low)
  }

  double(): number {
    this.expect(fixed64)
    return this.reader.double()
  }

  private expect(wireType: number): void {
    if (this.wireType !== wireType) {
      throw new MalformedProtobuf(`of another kind, because field ${this.number} has the wire type ${this.wireType}`)
    }
    this.isRead = true
  }
}

/** Runs what reads bytes. The library throws plain errors for what it cannot read; anything else is a fault of ours. */
export function asMalformed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const isOfLibrary = error instanceof RangeError || (error instanceof Error && error.constructor === Error)
    throw isOfLibrary ? new MalformedProtobuf('cut short or no protobuf', { cause: error }) : error
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
