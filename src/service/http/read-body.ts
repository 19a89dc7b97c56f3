import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Context } from 'hono'
import { type BodyPace, defaultPace, watchPace } from './body-pace'
import type { BlockPool } from './block-pool'
import { BodyParts } from './body-parts'
import type { HttpEnv } from './http-env'
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

export type BodyLimits = {
  maxBytes: number
  /** Called before bytes are kept. Throws where they do not fit into memory. */
  reserve: (bytes: number) => void
  /** For large bodies. Without it, their chunks are kept as they come. */
  blocks?: BlockPool | undefined
  /** For tests. */
  pace?: BodyPace
}

/**
 * Reads and decompresses the whole body. Bytes are counted as they arrive, whatever length the request declares, so a body
 * that is too large, or becomes so by decompression, is rejected with at most `maxBytes` in memory. Throws an `HttpError`
 * for a body that is too large, too slow, incomplete or damaged. What is left of the body stays unread. Release the body when
 * its request has ended.
 */
export async function readBody(c: Context<HttpEnv>, limits: BodyLimits): Promise<BodyParts> {
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase() || 'identity'
  const createDecompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined
  if (!createDecompressor && encoding !== 'identity') {
    throw new HttpError('unsupported_media_type', {
      loc: ['header', 'content-encoding'],
      msg: 'Unsupported content encoding. Supported: gzip, deflate, br, or none.',
      type: 'unsupported_content_encoding',
    })
  }
  if (Number(c.req.header('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes)
  const source = openBody(c)
  if (!source) return new BodyParts()
  if (!createDecompressor) return await collect(source, source, limits)
  const decompressor = createDecompressor()
  try {
    return await collect(source, source.pipe(decompressor), limits)
  } catch (error) {
    if (!isZlibError(error)) throw error
    const msg = `The body is not complete ${encoding} data: it is truncated or damaged.`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'decompression_error' })
  } finally {
    source.unpipe(decompressor)
    decompressor.destroy()
  }
}

/** Node's own stream where there is one: a Web stream costs a tenth of a millisecond per request more. */
function openBody(c: Context<HttpEnv>): Readable | undefined {
  const env: HttpEnv['Bindings'] | undefined = c.env // undefined where the app is called in memory
  if (env?.incoming) return env.incoming
  // The two declarations of ReadableStream, of the browser and of Node, differ in types only.
  return c.req.raw.body ? Readable.fromWeb(c.req.raw.body as Parameters<typeof Readable.fromWeb>[0]) : undefined
}

/** Everything that `output` yields, which is `source` or made of it. Stops reading both at the first problem. */
async function collect(
  source: Readable,
  output: Readable,
  { maxBytes, reserve, blocks, pace = defaultPace }: BodyLimits,
): Promise<BodyParts> {
  const parts = new BodyParts(blocks)
  let [sentBytes, keptBytes] = [0, 0]
  return await new Promise((resolve, reject) => {
    const watch = watchPace(source, (error) => fail(error), pace)
    const stop = () => {
      watch.stop()
      source.off('data', onSent).off('error', onClose).off('close', onClose)
      output.off('data', onOutput).off('error', fail).off('end', onEnd)
    }
    const fail = (error: unknown) => {
      stop()
      source.pause()
      parts.release()
      // Whatever else goes wrong with these streams has no reader any more.
      source.on('error', () => {})
      output.on('error', () => {})
      reject(error)
    }
    const onSent = (chunk: Buffer) => {
      sentBytes += chunk.length
      watch.count(chunk.length)
      if (sentBytes > maxBytes) fail(tooLarge(maxBytes))
    }
    const onOutput = (chunk: Buffer) => {
      keptBytes += chunk.length
      if (keptBytes > maxBytes) {
        fail(tooLarge(maxBytes))
        return
      }
      try {
        reserve(chunk.length)
      } catch (error) {
        fail(error)
        return
      }
      parts.add(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(parts)
    }
    const onClose = () => {
      if (!source.readableEnded) fail(incomplete())
    }
    source.on('data', onSent).on('error', onClose).on('close', onClose)
    output.on('data', onOutput).on('error', fail).on('end', onEnd)
    // Where the connection has closed already, no event follows.
    if (source.destroyed && !source.readableEnded) onClose()
  })
}

function isZlibError(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  return /^(?:Z_|ERR_(?:_?BROTLI|_ERROR_|ZLIB|BUFFER))/.test(error.code)
}

function incomplete(): HttpError {
  const msg = 'The connection was closed before the body was complete.'
  return new HttpError('bad_request', { loc: ['body'], msg, type: 'incomplete_body' }, { connection: 'close' })
}

function tooLarge(limit: number): HttpError {
  const kibibytes = limit / 1024
  const size = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`
  // A question cannot be asked in parts.
  const advice = limit > maxQueryBodyBytes ? 'Send it in parts.' : 'Send fewer or shorter values.'
  const msg = `The body is larger than ${size} (after decompression, if it is compressed). ${advice}`
  return new HttpError('too_large', { loc: ['body'], msg, type: 'body_too_large' })
}
