import { crc32 } from 'node:zlib'

// A record of the journal: the length of its content and the CRC-32 of that, 4 bytes each, little endian, then the content.

const headBytes = 8

/** The record with this content, as the parts that follow each other in the file. The content is not copied. */
export function encodeRecord(content: Uint8Array): [head: Uint8Array, content: Uint8Array] {
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUInt32LE(content.length, 0)
  head.writeUInt32LE(crc32(content), 4)
  return [head, content]
}

/**
 * The contents of all whole records. A process or a machine that stops in the middle of a write leaves a record that is cut
 * off or wrong. Nobody was told that it is stored, and nothing after it was written.
 */
export function* decodeRecords(bytes: Buffer): Generator<Buffer> {
  let offset = 0
  while (offset + headBytes <= bytes.length) {
    const start = offset + headBytes
    const end = start + bytes.readUInt32LE(offset)
    const content = bytes.subarray(start, end)
    // The CRC of nothing is 0: a file that a power cut filled with zeros has no records.
    if (content.length === 0 || end > bytes.length || crc32(content) !== bytes.readUInt32LE(offset + 4)) return
    yield content
    offset = end
  }
}
