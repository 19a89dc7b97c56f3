import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpError } from './http-error'

/** 32 MiB, as sent and after decompression, for operations that store what clients send. Hono's body-limit counts the bytes as sent only. */
export const maxBodyBytes = 32 * 1024 * 1024
/** 1 MiB: all other operations. These bodies are parsed on the event loop, which takes up to 20 ms. */
export const maxQueryBodyBytes = 1024 * 1024
/** 16 KiB: public operations take little, so a client without credentials cannot fill the memory. */
export const maxAnonymousBodyBytes = 16 * 1024

const decompressors: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/**
 * Reads and decompresses the whole body. Bytes are counted as they arrive, so a body that is too large, or becomes so by
 * decompression, is rejected with at most `limit` bytes in memory. `reserve` is called before bytes are kept, and throws
 * where they do not fit into memory.
 */
export async function readBody(
  request: Request,
  reserve: (bytes: number) => void,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined
  if (!decompressor && encoding !== 'identity') {
    throw new HttpError('unsupported_media_type', {
      loc: ['header', 'content-encoding'],
      msg: 'Unsupported content encoding. Supported: gzip, deflate, br, or none.',
      type: 'unsupported_content_encoding',
    })
  }
  const declaredLength = request.headers.get('content-length')
  if (declaredLength !== null && Number(declaredLength) > limit) throw tooLarge(limit)
  // Node's HTTP parser holds a client to the length it declared, so the body cannot grow past the limit.
  if (declaredLength !== null && !decompressor) {
    await reserveDeclared(request, Number(declaredLength), reserve)
    return new Uint8Array(await request.arrayBuffer())
  }
  if (!request.body) return new Uint8Array()
  const sent = limitBytes(readChunks(request.body), limit)
  return decompressor ? await decompress(sent, decompressor(), encoding, limit, reserve) : await concatenate(sent, reserve)
}

async function reserveDeclared(request: Request, length: number, reserve: (bytes: number) => void): Promise<void> {
  try {
    reserve(length)
  } catch (error) {
    // Read and discard the body: most clients read the response only after they have sent it all.
    if (request.body) for await (const _ of readChunks(request.body));
    throw error
  }
}

async function decompress(
  sent: AsyncIterable<Uint8Array>,
  decompressor: Transform,
  encoding: string,
  limit: number,
  reserve: (bytes: number) => void,
) {
  // The callback ignores the error: pipeline destroys the decompressor with it, so the loop that reads it throws it.
  pipeline(Readable.from(sent), decompressor, () => {})
  try {
    return await concatenate(limitBytes(decompressor, limit), reserve)
  } catch (error) {
    if (!isZlibError(error)) throw error
    const msg = `The body is not complete ${encoding} data: it is truncated or damaged.`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'decompression_error' })
  }
}

function isZlibError(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  return /^(?:Z_|ERR_(?:_?BROTLI|_ERROR_|ZLIB|BUFFER))/.test(error.code)
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    yield chunk
  }
}

async function concatenate(
  chunks: AsyncIterable<Uint8Array>,
  reserve: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) {
    reserve(chunk.length)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // A body that already failed cannot be cancelled, and its error has been thrown above.
    await reader.cancel().catch(() => undefined)
  }
}

function tooLarge(limit: number): HttpError {
  const kibibytes = limit / 1024
  const size = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`
  const msg = `The body is larger than ${size} (after decompression, if it is compressed). Send it in parts.`
  // The rest of the body is still on its way, so the connection cannot serve another request.
  return new HttpError('too_large', { loc: ['body'], msg, type: 'body_too_large' }, { connection: 'close' })
}
