import * as z from 'zod/mini'
import { formatSchemaError } from './format-schema-error'

/** A line of a stream that could not be used: where it stood (from 1), its beginning, and why. */
export type BrokenLine = { line: number; text: string; reason: string }

const newline = 0x0a
const longestShown = 300

/**
 * Cuts bytes into JSON lines and parses them. Bytes are cut at newlines before they are decoded, so a character is never
 * split; a chunk's lines are parsed by one JSON.parse, which measured as fast as reading one array.
 * A body that is one JSON value (an array, or an object holding one) is gathered and read whole.
 */
export class LineReader<Line extends z.core.$ZodType> {
  private rows: z.output<Line>[] = []
  private brokenLines: BrokenLine[] = []
  private pending: Uint8Array[] = []
  private lineCount = 0
  private isWhole: boolean | undefined
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly schema: Line,
    isWhole: boolean,
  ) {
    this.isWhole = isWhole || undefined
  }

  get hasNews(): boolean {
    return this.rows.length > 0 || this.brokenLines.length > 0
  }

  /** What was read since the last `take`. */
  take(): { rows: z.output<Line>[]; brokenLines: BrokenLine[] } {
    const { rows, brokenLines } = this
    this.rows = []
    this.brokenLines = []
    return { rows, brokenLines }
  }

  push(chunk: Uint8Array): void {
    this.isWhole ??= startsWithList(chunk)
    const end = this.isWhole ? -1 : chunk.lastIndexOf(newline)
    if (end < 0) {
      this.pending.push(chunk)
      return
    }
    const text = this.decode([...this.pending, chunk.subarray(0, end)])
    this.pending = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    this.readLines(text)
  }

  /** Call after the last byte. 'cut' when the last line is not whole, 'misfit' when the body is something else. */
  finish(): 'complete' | 'cut' | 'misfit' {
    const rest = this.decode(this.pending)
    this.pending = []
    if (rest.trim() === '') return 'complete'
    if (this.isWhole) return this.readWhole(rest)
    // The wire ends every line, others do not end the last: it counts when it is whole.
    if (parseJson(rest) === undefined) return 'cut'
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
    const filled = lines.filter((line) => line.trim() !== '')
    const values = parseJson(`[${filled.join(',')}]`)
    const areAllWhole = Array.isArray(values) && values.length === filled.length
    let index = 0
    for (const line of lines) {
      this.lineCount += 1
      if (line.trim() === '') continue
      this.add(areAllWhole ? values[index] : parseJson(line), line)
      index += 1
    }
  }

  private readWhole(text: string): 'complete' | 'cut' | 'misfit' {
    const value = parseJson(text)
    if (value === undefined) {
      // Some servers call JSON lines application/json.
      if (parseJson(text.slice(0, text.indexOf('\n'))) === undefined) return startsWithJson(text) ? 'cut' : 'misfit'
      this.readLines(text)
      return 'complete'
    }
    const list = listIn(value)
    for (const item of list ?? [value]) {
      this.lineCount += 1
      this.add(item, JSON.stringify(item))
    }
    return 'complete'
  }

  private add(value: unknown, text: string): void {
    if (value === undefined) {
      this.brokenLines.push({ line: this.lineCount, text: text.slice(0, longestShown), reason: 'Not JSON.' })
      return
    }
    const parsed = z.safeParse(this.schema, value)
    if (parsed.success) this.rows.push(parsed.data)
    else {
      const reason = formatSchemaError(parsed.error)
      this.brokenLines.push({ line: this.lineCount, text: text.slice(0, longestShown), reason })
    }
  }
}

/** undefined stands for "not JSON": JSON itself has no undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  const lists = typeof value === 'object' && value !== null ? Object.values(value).filter(Array.isArray) : []
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return lists.length === 1 && keys.length === 1 ? lists[0] : undefined
}

function startsWithList(chunk: Uint8Array): boolean {
  const beginning = new TextDecoder().decode(chunk.subarray(0, 64)).trimStart()
  return beginning.startsWith('[') || /^\{\s*"threads"\s*:\s*\[/.test(beginning)
}

function startsWithJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
