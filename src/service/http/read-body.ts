import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HttpError } from './http-error'

/** 32 MiB, as sent and after decompression. */
export const maxBodyBytes = 32 * 1024 * 1024
/** 16 KiB: from who has not signed in there is nothing long to read. */
export const maxAnonymousBodyBytes = 16 * 1024

const decompressors: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/**
 * The whole body, decompressed. It is counted as it arrives, so a body that is too large, or grows so when it is
 * decompressed, is refused with no more than the limit in memory. `take` is told of bytes before they are kept and throws where
 * there is no room for them.
 */
export async function readBody(request: Request, take: (bytes: number) => void, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined
  if (!decompressor && encoding !== 'identity' && encoding !== '') {
    throw new HttpError('unsupported_media_type', {
      loc: ['header', 'content-encoding'],
      msg: 'Unsupported content encoding. Supported: gzip, deflate, br, or none.',
      type: 'unsupported_content_encoding',
    })
  }
  const declaredLength = request.headers.get('content-length')
  if (declaredLength !== null && Number(declaredLength) > limit) throw tooLarge(limit)
  // node's own parser holds a sender to the length it declared, so this cannot grow past the limit.
  if (declaredLength !== null && !decompressor) {
    try {
      take(Number(declaredLength))
    } catch (error) {
      // Read to its end and let go: most senders listen for an answer only then, and would see a broken connection instead.
      if (request.body) for await (const _ of chunksOf(request.body));
      throw error
    }
    return new Uint8Array(await request.arrayBuffer())
  }
  if (!request.body) return new Uint8Array()
  const sent = limited(chunksOf(request.body), limit)
  return decompressor ? await decompressed(sent, decompressor(), encoding, limit, take) : await collected(sent, take)
}

async function decompressed(
  sent: AsyncIterable<Uint8Array>,
  decompressor: Transform,
  encoding: string,
  limit: number,
  take: (bytes: number) => void,
) {
  // A failure of either comes out of the loop that collects; pipeline() as a promise would hide it behind its own.
  pipeline(Readable.from(sent), decompressor, () => undefined)
  try {
    return await collected(limited(decompressor, limit), take)
  } catch (error) {
    const isOfDecompression =
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      /^(?:Z_|ERR_(?:_?BROTLI|_ERROR_|ZLIB|BUFFER))/.test(error.code)
    if (!isOfDecompression) throw error
    throw new HttpError('invalid', {
      loc: ['body'],
      msg: `The body is not complete ${encoding} data: it is cut short or damaged.`,
      type: 'decompression_error',
    })
  }
}

async function* limited(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    yield chunk
  }
}

async function collected(chunks: AsyncIterable<Uint8Array>, take: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) {
    take(chunk.length)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function tooLarge(limit: number): HttpError {
  const kibibytes = limit / 1024
  const most = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`
  const msg = `The body is larger than ${most} (after decompression, where it is compressed). Send it in parts.`
  // The rest of the body is still on its way, so the connection cannot serve another request.
  return new HttpError('too_large', { loc: ['body'], msg, type: 'body_too_large' }, { connection: 'close' })
}
