import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { maxBodyBytes } from '../../http/read-body'
import { ImportError } from './import-error'

/** For files that are parsed as a whole. */
export const maxDocumentBytes = 256 * 1024 * 1024
/** A line is sent in one request; 64 bytes are for the JSON around it. */
export const maxLineBytes = maxBodyBytes - 64

export type InputFile = {
  /** What the user typed. */
  name: string
  path: string
  /** In bytes, compressed if it is. */
  size: number
  isGzip: boolean
}

export type Line = {
  /** From 1. */
  number: number
  /** Without the line ending; undefined where the line is too long. */
  bytes: Buffer | undefined
}

/** Throws an `ImportError` for a file that cannot be read. */
export async function openInputFile(name: string, path: string): Promise<InputFile> {
  try {
    const stats = await stat(path)
    // Opening a named pipe would wait for its writer.
    if (!stats.isFile()) throw new ImportError(`${name} is not a regular file.`)
    const handle = await open(path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
      return { name, path, size: stats.size, isGzip: bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw toImportError(error, name)
  }
}

/** Reads the decompressed content. `onRead` receives how many bytes of the file itself are read so far. */
async function* readContent(file: InputFile, onRead: (fileBytes: number) => void): AsyncGenerator<Buffer> {
  const stream = createReadStream(file.path, { highWaterMark: 256 * 1024 })
  // The loop below throws the errors of both streams, so the callback has nothing to do.
  const content = file.isGzip ? pipeline(stream, createGunzip({ chunkSize: 256 * 1024 }), () => undefined) : stream
  try {
    for await (const chunk of content) {
      const bytes: Buffer = chunk
      onRead(stream.bytesRead)
      yield bytes
    }
  } catch (error) {
    throw toImportError(error, file.name)
  } finally {
    stream.destroy()
  }
}

/** Reads the whole content as text, without a byte order mark. Throws an `ImportError` where it is too large or not UTF-8. */
export async function readWholeFile(file: InputFile): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readContent(file, () => undefined)) {
    length += chunk.length
    if (length > maxDocumentBytes) {
      throw new ImportError(
        `${file.name} is larger than ${maxDocumentBytes / 1024 / 1024} MiB, the limit for a file that is not JSON lines. ` +
          'Split it. If it is JSON lines, name its format with --as.',
      )
    }
    chunks.push(chunk)
  }
  const content = Buffer.concat(chunks)
  if (!isUtf8(content)) throw new ImportError(`${file.name} is not valid UTF-8. Save it as UTF-8.`)
  return content.toString('utf8').replace(/^\ufeff/, '')
}

export function readLines(file: InputFile, onRead: (fileBytes: number) => void = () => undefined): AsyncGenerator<Line> {
  return splitLines(readContent(file, onRead), maxLineBytes)
}

const newline = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Splits content into lines, without blank ones and without a byte order mark. Keeps at most `maxBytes` of a line in memory. */
export async function* splitLines(content: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let length = 0
  const addPart = (part: Buffer) => {
    length += part.length
    if (length <= maxBytes) parts.push(part)
    else parts = []
  }
  const endLine = (): Line | undefined => {
    number += 1
    const bytes = length <= maxBytes ? trimLine(Buffer.concat(parts), number === 1) : undefined
    parts = []
    length = 0
    return bytes && isBlank(bytes) ? undefined : { number, bytes }
  }
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      addPart(chunk.subarray(start, end))
      start = end + 1
      const line = endLine()
      if (line) yield line
    }
    addPart(chunk.subarray(start))
  }
  const last = length > 0 ? endLine() : undefined
  if (last) yield last
}

function trimLine(bytes: Buffer, isFirst: boolean): Buffer {
  const start = isFirst && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  return bytes.subarray(start, bytes.at(-1) === carriageReturn ? -1 : undefined)
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn)
}

const reasonByCode: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EACCES: 'You may not read this file',
  Z_BUF_ERROR: 'The gzip data is incomplete',
  Z_DATA_ERROR: 'The gzip data is damaged',
}

function toImportError(error: unknown, name: string): ImportError {
  if (error instanceof ImportError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new ImportError(`${name}: ${reasonByCode[code] ?? (error instanceof Error ? error.message : String(error))}.`)
}
