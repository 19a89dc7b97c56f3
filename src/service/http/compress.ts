import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

/** Compressing a smaller body saves less than it costs. */
export const minCompressBytes = 1024

// Level 4 takes half the time of the default and reaches nine tenths of its saving on JSON.
const level = 4
const gzipAsync = promisify(gzip)

/** Whether an Accept-Encoding header allows `encoding`. */
export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  const qualities = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const
    }),
  )
  return (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0
}

export async function compress(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return await gzipAsync(bytes, { level })
}

/** Compresses a stream and flushes after each chunk, so that the first rows do not wait for a full gzip window. */
export async function* compressStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compressor = createGzip({ level, flush: constants.Z_SYNC_FLUSH })
  // The callback ignores the error: pipeline destroys the compressor with it, so the loop below throws it.
  pipeline(Readable.from(chunks), compressor, () => {})
  for await (const chunk of compressor) yield chunk
}
