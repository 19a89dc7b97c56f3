import type { Duplex } from 'node:stream'
import { endConnection } from './refuse-connection'

/** gRPC's own exporters are the default of some SDKs and of Collectors. Shown by them as it is; ASCII, below 127 bytes. */
export const grpcMessage =
  'Spool takes OTLP over HTTP, not gRPC. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, or in code use the HTTP exporter.'

// Frames of HTTP/2 (RFC 9113): 3 bytes of length, then type, flags and 4 bytes of stream id.
const frameHeadBytes = 9
const headersType = 1
const settingsType = 4
const goAwayType = 7
const ackFlag = 1
const endStreamAndHeadersFlags = 5

/**
 * Tells a gRPC client on a connection of HTTP/2 why it is refused: its first request gets the status UNIMPLEMENTED, which
 * exporters log and do not repeat. `rest` is what follows the preface in the bytes that were read. Only the heads of frames
 * are read, so a client cannot make this keep anything. Without a request within `maxWaitMs` the connection ends.
 */
export function refuseGrpc(socket: Duplex, rest: Uint8Array, maxWaitMs: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  let head = Buffer.alloc(0)
  let skipBytes = 0
  let isRefused = false
  const read = (chunk: Uint8Array) => {
    let bytes = chunk
    while (bytes.length > 0 && !isRefused) {
      const skipped = bytes.subarray(0, skipBytes)
      skipBytes -= skipped.length
      const needed = skipBytes > 0 ? 0 : frameHeadBytes - head.length
      head = Buffer.concat([head, bytes.subarray(skipped.length, skipped.length + needed)])
      bytes = bytes.subarray(skipped.length + needed)
      if (head.length === frameHeadBytes) {
        skipBytes = head.readUIntBE(0, 3)
        isRefused = replyToFrame(socket, head)
        head = Buffer.alloc(0)
      }
    }
  }
  const timer = setTimeout(() => socket.destroy(), maxWaitMs).unref()
  socket.once('close', () => clearTimeout(timer))
  // The client may be gone; there is nobody else to tell.
  socket.on('error', () => {})
  socket.on('data', read)
  socket.write(frame(settingsType, 0, 0))
  read(rest)
}

/** Whether the request is refused now. */
function replyToFrame(socket: Duplex, head: Buffer): boolean {
  const [type, flags = 0] = head.subarray(3)
  const streamId = head.readUInt32BE(5)
  if (type === settingsType && (flags & ackFlag) === 0) socket.write(frame(settingsType, ackFlag, 0))
  if (type !== headersType) return false
  socket.write(frame(headersType, endStreamAndHeadersFlags, streamId, refusalHeaders))
  // The last stream id, and the error code NO_ERROR.
  socket.write(frame(goAwayType, 0, 0, Buffer.concat([head.subarray(5), Buffer.alloc(4)])))
  endConnection(socket)
  return true
}

function frame(type: number, flags: number, streamId: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

/** A field of HPACK (RFC 7541) without an index and without compression. */
function field(name: string, value: string): Buffer {
  const texts = [name, value].flatMap((text) => [Buffer.of(text.length), Buffer.from(text)])
  return Buffer.concat([Buffer.of(0), ...texts])
}

/** A response without a body. 0x88 is `:status: 200` in HPACK's table, and 12 is UNIMPLEMENTED. */
const refusalHeaders = Buffer.concat([
  Buffer.of(0x88),
  field('content-type', 'application/grpc'),
  field('grpc-status', '12'),
  field('grpc-message', grpcMessage),
])
