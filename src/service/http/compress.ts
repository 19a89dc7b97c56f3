import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

/** Below this a compressed body saves nothing worth the work. */
export const minCompressBytes = 1024

// Level 4 takes half the time of the default and gives nine tenths of its saving on JSON.
const level = 4
const gzipWhole = promisify(gzip)

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
  return await gzipWhole(bytes, { level })
}

/** Compresses a stream; every chunk can be read as soon as it was written, so nothing waits for a full window. */
export async function* compressStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compressor = createGzip({ level, flush: constants.Z_SYNC_FLUSH })
  pipeline(Readable.from(chunks), compressor, () => undefined) // a failure comes out of the loop below
  for await (const chunk of compressor) yield chunk
}
