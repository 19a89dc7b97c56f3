import { Reader } from 'protobufjs/minimal.js'

/** Bytes that are not the protobuf message they should be. */
export class MalformedProtobuf extends Error {
  override readonly name = 'MalformedProtobuf'
}

const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/**
 * The fields of one protobuf message, one after the other; a field whose value is not asked for is skipped. Read by hand
 * and not by the library's messages: those are made by `new Function` and hold a whole request in memory at once.
 * Every method throws `MalformedProtobuf`.
 */
export class Fields {
  /** The number of the field that `next` found. */
  number = 0
  private wireType = 0
  private isRead = true
  private readonly reader: Reader

  constructor(bytes: Uint8Array) {
    this.reader = Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  next(): boolean {
    return this.guarded(() => {
      if (!this.isRead) this.reader.skipType(this.wireType, 0, this.number)
      this.isRead = false
      if (this.reader.pos >= this.reader.len) return false
      const tag = this.reader.tag()
      this.number = tag >>> 3
      this.wireType = tag & 7
      if (this.number === 0) throw new MalformedProtobuf('it has a field with the number 0')
      return true
    })
  }

  bytes(): Buffer {
    const bytes = this.value('bytes', () => this.reader.bytes())
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Bytes that are no UTF-8 become U+FFFD. */
  text(): string {
    return this.bytes().toString()
  }

  hex(): string {
    return this.bytes().toString('hex')
  }

  boolean(): boolean {
    return this.value('varint', () => this.reader.bool())
  }

  uint32(): number {
    return this.value('varint', () => this.reader.uint32())
  }

  int64(): bigint {
    const { low, high } = this.value('varint', () => this.reader.int64())
    return (BigInt(high) << 32n) | BigInt(low >>> 0)
  }

  fixed32(): number {
    return this.value('fixed32', () => this.reader.fixed32())
  }

  fixed64(): bigint {
    return this.value('fixed64', () => {
      const low = this.reader.fixed32()
      return (BigInt(this.reader.fixed32()) << 32n) | BigInt(low)
    })
  }

  double(): number {
    return this.value('fixed64', () => this.reader.double())
  }

  private value<T>(kind: keyof typeof wireTypes, read: () => T): T {
    if (this.wireType !== wireTypes[kind]) {
      throw new MalformedProtobuf(`its field ${this.number} has the wire type ${this.wireType} and not ${wireTypes[kind]}`)
    }
    this.isRead = true
    return this.guarded(read)
  }

  /** The library throws plain errors for bytes that it cannot read. */
  private guarded<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof MalformedProtobuf || !(error instanceof Error)) throw error
      throw new MalformedProtobuf('it is cut short or no protobuf', { cause: error })
    }
  }
}
