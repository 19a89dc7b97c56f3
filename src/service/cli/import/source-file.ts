import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream'
import { ImportError } from './import-error'

const headBytes = 64 * 1024

/** A file to import, opened. It is read as it was then: what is appended later is not seen. */
export type SourceFile = {
  /** As its owner named it. */
  name: string
  path: string
  size: number
  /** Tells this file from any other and from itself after a change. */
  identity: string
  isCompressed: boolean
  /** The first bytes, decompressed. */
  head: Buffer
}

/** Opens a file and reads its beginning. Throws an `ImportError` for what cannot be read. */
export async function openSourceFile(name: string, path: string): Promise<SourceFile> {
  try {
    const handle = await open(path)
    try {
      return await describe(handle, name, path)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw unreadable(error, name)
  }
}

async function describe(handle: FileHandle, name: string, path: string): Promise<SourceFile> {
  const stat = await handle.stat()
  if (!stat.isFile()) throw new ImportError(`${name} is not a file.`)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const start = buffer.subarray(0, bytesRead)
  const digest = createHash('sha256').update(start).digest('hex')
  const isCompressed = start.length >= 2 && start.readUInt16BE(0) === 0x1f8b
  const source = { name, path, size: stat.size, identity: JSON.stringify([path, stat.size, stat.mtimeMs, digest]), isCompressed }
  return { ...source, head: isCompressed ? await headOf(source) : start }
}

async function headOf(source: Omit<SourceFile, 'head'>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of contentOf(source, 0)) {
    parts.push(chunk)
    length += chunk.length
    if (length >= headBytes) break
  }
  return Buffer.concat(parts).subarray(0, headBytes)
}

/**
 * The content from `offset` on, decompressed, as it is read. `onRead` is told the bytes of the file itself that are
 * passed, so that progress can be told of a compressed file. Throws an `ImportError` where it breaks off.
 */
export async function* contentOf(
  { name, path, size, isCompressed }: Omit<SourceFile, 'head'>,
  offset: number,
  onRead: (fileBytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  if (size === 0) return
  const handle = await open(path).catch((error: unknown) => {
    throw unreadable(error, name)
  })
  // A compressed file can only be read from its beginning.
  const file = handle.createReadStream({
    start: isCompressed ? 0 : Math.min(offset, size),
    end: size - 1,
    highWaterMark: 256 * 1024,
  })
  const content = isCompressed ? pipeline(file, createGunzip({ chunkSize: 256 * 1024 }), () => undefined) : file
  let toSkip = isCompressed ? offset : 0
  try {
    for await (const chunk of content) {
      const bytes: Buffer = chunk
      onRead((isCompressed ? 0 : offset) + file.bytesRead)
      if (toSkip < bytes.length) yield toSkip === 0 ? bytes : bytes.subarray(toSkip)
      toSkip = Math.max(0, toSkip - bytes.length)
    }
  } catch (error) {
    throw unreadable(error, name)
  } finally {
    file.destroy()
  }
}

/** The whole content. Throws an `ImportError` where it is larger than `most` bytes. */
export async function wholeContent(source: SourceFile, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of contentOf(source, 0)) {
    length += chunk.length
    if (length > most) {
      throw new ImportError(
        `${source.name} is one document of more than ${most / 1024 / 1024} MiB, the most that is read at once.`,
      )
    }
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

function unreadable(error: unknown, name: string): Error {
  if (error instanceof ImportError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reasons: Record<string, string> = {
    ENOENT: 'There is no such file',
    EACCES: 'The file may not be read',
    EISDIR: 'It is a folder',
    Z_BUF_ERROR: 'The gzip data is cut short',
    Z_DATA_ERROR: 'The gzip data is damaged',
  }
  const reason = typeof code === 'string' ? reasons[code] : undefined
  if (reason === undefined && !(error instanceof Error)) return new ImportError(`${name} cannot be read.`)
  return new ImportError(`${name}: ${reason ?? (error instanceof Error ? error.message : '')}.`)
}
