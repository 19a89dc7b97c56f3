/** One line of a file, without its ending. */
export type Line = {
  /** From 1. */
  number: number
  /** Undefined where the line is longer than may be kept. */
  bytes: Buffer | undefined
  /** Where the next line begins, in bytes from the start of the content. */
  end: number
}

export type LinePlace = { offset: number; lineNumber: number }

const newline = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Splits content that begins at `from` into lines; lines of white space alone are left out, and so is a byte order mark.
 * Of a line longer than `mostBytes` nothing is kept, so no more than that is ever in memory.
 */
export async function* linesOf(content: AsyncIterable<Buffer>, from: LinePlace, mostBytes: number): AsyncGenerator<Line> {
  let { offset, lineNumber } = from
  let parts: Buffer[] = []
  let length = 0
  const take = (part: Buffer) => {
    length += part.length
    offset += part.length
    if (length <= mostBytes) parts.push(part)
    else parts = []
  }
  const finish = (): Line | undefined => {
    lineNumber += 1
    const bytes = length > mostBytes ? undefined : withoutMarks(Buffer.concat(parts), lineNumber === 1)
    parts = []
    length = 0
    return bytes && isBlank(bytes) ? undefined : { number: lineNumber, bytes, end: offset }
  }
  for await (const chunk of content) {
    let start = 0
    for (let index = chunk.indexOf(newline); index >= 0; index = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, index))
      offset += 1
      start = index + 1
      const line = finish()
      if (line) yield line
    }
    take(chunk.subarray(start))
  }
  const last = length > 0 ? finish() : undefined
  if (last) yield last
}

function withoutMarks(bytes: Buffer, isFirst: boolean): Buffer {
  const start = isFirst && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  return bytes.subarray(start, bytes.at(-1) === carriageReturn ? -1 : undefined)
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn)
}
