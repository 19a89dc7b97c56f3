import * as z from 'zod/mini'
import { joinBytes } from '../../contract/join-bytes'
import { formatSchemaError } from './format-schema-error'
import { ListSplitter } from './list-splitter'
import { type BrokenLine, toBrokenLine } from './parse-rows'

const newline = 0x0a

/**
 * Splits bytes into JSON lines and parses them. Bytes are split at newlines before they are decoded, so no character is
 * torn apart. One JSON.parse reads all lines of a chunk, which is as fast as reading one array.
 * A list (an array, or an object that contains one) is turned into lines while it arrives. Any other body of the type
 * application/json is collected and parsed at its end.
 */
export class LineReader<Line extends z.core.$ZodType> {
  private rows: z.output<Line>[] = []
  private brokenLines: BrokenLine[] = []
  private pending: Uint8Array[] = []
  private lineCount = 0
  /** Undefined until enough bytes are there to tell. */
  private form: ListSplitter | 'lines' | 'value' | undefined
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly schema: Line,
    private readonly isJson: boolean,
  ) {}

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

  push(received: Uint8Array): void {
    let chunk = received
    if (this.form === undefined) {
      chunk = joinBytes([...this.pending, received])
      this.pending = []
      this.form = detectForm(this.decoder.decode(chunk.subarray(0, 256)), this.isJson)
    }
    if (this.form === undefined || this.form === 'value') this.pending.push(chunk)
    else this.pushLines(this.form === 'lines' ? chunk : this.form.toLines(chunk))
  }

  /** Call it after the last byte. 'interrupted': the last line is incomplete. 'unreadable': the body is not JSON at all. */
  finish(): 'complete' | 'interrupted' | 'unreadable' {
    const rest = this.decoder.decode(joinBytes(this.pending))
    this.pending = []
    if (this.form instanceof ListSplitter && !this.form.isComplete) return 'interrupted'
    if (rest.trim() === '') return 'complete'
    if (this.form === 'value' || (this.form === undefined && this.isJson)) return this.readOneValue(rest)
    // Spool ends every line with a newline, other services do not end the last one: it counts if it is complete.
    if (parseJson(rest) === undefined) return this.lineCount > 0 || startsWithJson(rest) ? 'interrupted' : 'unreadable'
    this.readLines(rest)
    return 'complete'
  }

  private pushLines(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(newline)
    if (end < 0) {
      this.pending.push(chunk)
      return
    }
    const text = this.decoder.decode(joinBytes([...this.pending, chunk.subarray(0, end)]))
    this.pending = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    this.readLines(text)
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

/** Undefined where more of the body must be seen. */
function detectForm(start: string, isJson: boolean): ListSplitter | 'lines' | 'value' | undefined {
  const text = start.trimStart()
  // A page, such as that of a proxy. Its lines are no rows.
  if (text.startsWith('<')) return 'value'
  if (text.startsWith('[')) return new ListSplitter(1)
  if (/^\{\s*"threads"\s*:\s*\[/.test(text)) return new ListSplitter(2)
  // Longer than what could still become the above.
  const canBeList = text.length < 32 && !text.includes('\n')
  return canBeList ? undefined : isJson ? 'value' : 'lines'
}

function startsWithJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
