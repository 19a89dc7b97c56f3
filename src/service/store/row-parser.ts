import { ClickHouseError, extractErrorAtTheEndOfChunk, parseError } from '@clickhouse/client'

const newline = 0x0a
const carriageReturn = 0x0d
/** Parsed in less than a millisecond. */
const maxPieceBytes = 64 * 1024

/**
 * The rows of a result in the format JSONEachRow, from its bytes as they come. The stream of the client's package makes an
 * object of each row, and of up to 33 chunks before anybody reads them: 60,000 objects for a reader that has stopped.
 *
 * @example
 * const parser = new RowParser()
 * for await (const chunk of bytes) for (const rows of parser.add(chunk)) ...
 * parser.end()
 */
export class RowParser {
  /** The start of a row that has not ended yet. */
  private unfinished: Uint8Array[] = []
  private hasFailed = false

  /** `exceptionTag`: with it a server marks an error among the rows, from version 25.11 on. */
  constructor(private readonly exceptionTag?: string) {}

  /** The rows that end in this chunk, in pieces that are parsed one by one as they are taken. */
  *add(chunk: Uint8Array): Generator<unknown[]> {
    let start = 0
    while (start < chunk.length && !this.hasFailed) {
      const end = findEnd(chunk, start)
      const piece = chunk.subarray(start, end)
      start = end
      // A row has none: JSON escapes it. So an error begins here, of which more may follow.
      this.hasFailed = this.exceptionTag !== undefined && piece.includes(carriageReturn)
      if (this.hasFailed || piece.at(-1) !== newline) this.unfinished.push(piece)
      else yield parseRows(this.takeUnfinished(piece))
    }
    if (start < chunk.length) this.unfinished.push(chunk.subarray(start))
  }

  /** Call it after the last chunk. Throws where an error took the place of the rest. */
  end(): void {
    const rest = this.takeUnfinished()
    if (this.exceptionTag !== undefined && this.hasFailed) throw extractErrorAtTheEndOfChunk(rest, this.exceptionTag)
    if (rest.length === 0) return
    const error = parseError(rest.toString())
    // Of anything else it makes a message, which would bring the content of a call into the log.
    throw error instanceof ClickHouseError ? error : new Error('The result of the engine broke off within a row.')
  }

  private takeUnfinished(...more: Uint8Array[]): Buffer {
    const bytes = Buffer.concat([...this.unfinished, ...more])
    this.unfinished = []
    return bytes
  }
}

/** After the last row that ends within the size of a piece, or else after the next one, or at the end of the chunk. */
function findEnd(chunk: Uint8Array, start: number): number {
  const last = chunk.lastIndexOf(newline, start + maxPieceBytes - 1)
  if (last >= start) return last + 1
  const next = chunk.indexOf(newline, start + maxPieceBytes)
  return next === -1 ? chunk.length : next + 1
}

function parseRows(lines: Buffer): unknown[] {
  // Every line break is the end of a row: JSON escapes those in texts.
  return JSON.parse(`[${lines.toString('utf8', 0, lines.length - 1).replaceAll('\n', ',')}]`) as unknown[] // JSON.parse returns any
}
