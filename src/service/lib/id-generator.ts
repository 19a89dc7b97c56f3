import { randomBytes } from 'node:crypto'

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/

/**
 * Creates UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, a counter that starts at a random number in each
 * millisecond, and 62 random bits. The ids of one generator strictly increase, even when the clock is set back. They are
 * greater than `newestId`, an id of a generator before this one.
 */
export function createIdGenerator(now: () => number, newestId = ''): () => string {
  let milliseconds = uuid7.test(newestId) ? parseInt(newestId.replace('-', '').slice(0, 12), 16) + 1 : 0
  let counter = 0
  return () => {
    const time = now()
    if (time > milliseconds) {
      milliseconds = time
      counter = randomBytes(2).readUInt16BE() & 0x7ff // below half of its range, so that it can count up
    } else if (counter === 0xfff) {
      milliseconds += 1
      counter = 0
    } else counter += 1
    const bytes = randomBytes(16)
    bytes.writeUIntBE(milliseconds, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
}
