import * as z from 'zod/mini'
import { formatSchemaError } from './format-schema-error'
import { type BrokenLine, toBrokenLine } from './parse-rows'

const newline = 0x0a

/**
 * Splits bytes into JSON lines and parses them. Bytes are split at newlines before they are decoded, so no character is
 * torn apart. One JSON.parse reads all lines of a chunk, which is as fast as reading one array.
 * A body that is one JSON value (an array, or an object that contains one) is collected and parsed at its end.
 */
export class LineReader<Line extends z.core.$ZodType> {
  private rows: z.output<Line>[] = []
  private brokenLines: BrokenLine[] = []
  private pending: Uint8Array[] = []
  private lineCount = 0
  private isOneValue: boolean | undefined
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly schema: Line,
    isOneValue: boolean,
  ) {
    this.isOneValue = isOneValue || undefined
  }

  get hasOutput(): boolean {
    return this.rows.length > 0 || this.brokenLines.length > 0
  }

  /** The output since the last `take`. */
  take(): { rows: z.output<Line>[]; brokenLines: BrokenLine[] } {
    const { rows, brokenLines } = this
    this.rows = []
    this.brokenLines = []
    return { rows, brokenLines }
  }

  push(chunk: Uint8Array): void {
    this.isOneValue ??= startsWithList(chunk)
    const end = this.isOneValue ? -1 : chunk.lastIndexOf(newline)
    if (end < 0) {
      this.pending.push(chunk)
      return
    }
    const text = this.decode([...this.pending, chunk.subarray(0, end)])
    this.pending = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    this.readLines(text)
  }

  /** Call it after the last byte. 'interrupted': the last line is incomplete. 'unreadable': the body is not JSON at all. */
  finish(): 'complete' | 'interrupted' | 'unreadable' {
    const rest = this.decode(this.pending)
    this.pending = []
    if (rest.trim() === '') return 'complete'
    if (this.isOneValue) return this.readOneValue(rest)
    // Spool ends every line with a newline, other services do not end the last one: it counts if it is complete.
    if (parseJson(rest) === undefined) return 'interrupted'
    this.readLines(rest)
    return 'complete'
  }

  private decode(parts: Uint8Array[]): string {
    const [first] = parts
    if (parts.length === 1 && first) return this.decoder.decode(first)
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
    let offset = 0
    for (const part of parts) {
      bytes.set(part, offset)
      offset += part.length
    }
    return this.decoder.decode(bytes)
  }

  private readLines(text: string): void {
    const lines = text.split('\n')
    const nonEmpty = lines.filter((line) => line.trim() !== '')
    const values = parseJson(`[${nonEmpty.join(',')}]`)
    const areAllValid = Array.isArray(values) && values.length === nonEmpty.length
    let index = 0
    for (const line of lines) {
      this.lineCount += 1
      if (line.trim() === '') continue
      this.add(areAllValid ? values[index] : parseJson(line), line)
      index += 1
    }
  }

  private readOneValue(text: string): 'complete' | 'interrupted' | 'unreadable' {
    const value = parseJson(text)
    if (value === undefined) {
      // Some servers send JSON lines as application/json.
      if (parseJson(text.slice(0, text.indexOf('\n'))) === undefined) return startsWithJson(text) ? 'interrupted' : 'unreadable'
      this.readLines(text)
      return 'complete'
    }
    const list = findList(value)
    for (const item of list ?? [value]) {
      this.lineCount += 1
      this.add(item, JSON.stringify(item))
    }
    return 'complete'
  }

  private add(value: unknown, text: string): void {
    if (value === undefined) {
      this.brokenLines.push(toBrokenLine(this.lineCount, text, 'Not JSON.'))
      return
    }
    const parsed = z.safeParse(this.schema, value)
    if (parsed.success) this.rows.push(parsed.data)
    else {
      this.brokenLines.push(toBrokenLine(this.lineCount, text, formatSchemaError(parsed.error)))
    }
  }
}

/** Returns undefined for text that is not JSON; JSON itself has no undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  const lists = typeof value === 'object' && value !== null ? Object.values(value).filter(Array.isArray) : []
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return lists.length === 1 && keys.length === 1 ? lists[0] : undefined
}

function startsWithList(chunk: Uint8Array): boolean {
  const start = new TextDecoder().decode(chunk.subarray(0, 64)).trimStart()
  return start.startsWith('[') || /^\{\s*"threads"\s*:\s*\[/.test(start)
}

function startsWithJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
