import { maxIdLength } from '../../../contract/limits'

export type BadLine = { line: number; text: string; reason: string }
export type ParsedCallIds = {
  /** Each once, in the order of the text. */
  ids: readonly string[]
  repeatedCount: number
  badLines: readonly BadLine[]
}

type Found = { line: number; value: unknown }

/**
 * The ids of calls in a text: with white space or commas between them, CSV with a column of ids, JSON, or JSON lines. References such
 * as `weave:///acme/support/call/<id>` count as the id at their end. What is no id is reported with its line.
 *
 * @example parseCallIds('call_id,score\n00f067aa0ba902b7,4\n').ids // ['00f067aa0ba902b7']
 */
export function parseCallIds(text: string): ParsedCallIds {
  const ids = new Set<string>()
  const badLines: BadLine[] = []
  let count = 0
  for (const { line, value } of findValues(text.replace(/^\uFEFF/, ''))) {
    const id = toId(value)
    if (typeof id === 'string') {
      ids.add(id)
      count += 1
    } else {
      badLines.push({ line, text: toShortText(value), reason: id.reason })
    }
  }
  return { ids: [...ids], repeatedCount: count - ids.size, badLines }
}

function findValues(text: string): Iterable<Found> {
  const trimmed = text.trim()
  if (trimmed === '') return []
  if (/^[[{"]/.test(trimmed)) {
    const whole = tryJson(trimmed)
    if (whole !== undefined) return listValues(whole).map((value) => ({ line: 1, value }))
    // A quoted value may begin a line of CSV, too.
    if (!trimmed.startsWith('"')) return fromJsonLines(text)
  }
  return fromLines(text)
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a JSON value lists: an array, or the first list that an object has, such as `{"call_ids": [...]}`. */
function listValues(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || idKeys.some((key) => key in value)) return [value]
  return Object.values(value).find(Array.isArray) ?? [value]
}

function* fromJsonLines(text: string): Generator<Found> {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    yield { line: index + 1, value: tryJson(line) ?? new UnreadableLine(line) }
  }
}

class UnreadableLine {
  constructor(readonly text: string) {}
}

function* fromLines(text: string): Generator<Found> {
  const lines = text.split(/\r\n|\n|\r/)
  const firstIndex = lines.findIndex((line) => line.trim() !== '')
  const first = lines[firstIndex] ?? ''
  const separator = [',', '\t', ';'].find((each) => first.includes(each)) ?? ','
  const column = findColumn(splitCells(first, separator))
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (column !== undefined && index === firstIndex)) continue
    const cells = splitCells(line, separator)
    // With a header one column has the ids, and without one all words of all cells are ids.
    const values = column === undefined ? (cells.join(' ').match(/\S+/g) ?? []) : [cells[column] ?? '']
    for (const value of values) yield { line: index + 1, value }
  }
}

/** The names of columns and keys that hold the id of a call, the surest first. */
const idKeys = ['call_id', 'callId', 'id', 'span_id', 'spanId'] as const

function findColumn(header: readonly string[]): number | undefined {
  const names = header.map((cell) => cell.toLowerCase())
  const found = idKeys.map((key) => names.indexOf(key.toLowerCase())).find((index) => index >= 0)
  return found
}

/** The cells of a line of CSV. Ids have no line breaks, so a cell that has some is not looked at. */
function splitCells(line: string, separator: string): string[] {
  const cell = new RegExp(`(?:^|${separator})\\s*(?:"((?:[^"]|"")*)"\\s*(?=${separator}|$)|([^${separator}]*))`, 'g')
  return [...line.matchAll(cell)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"').trim() ?? plain.trim())
}

function toId(value: unknown): string | { reason: string } {
  if (value instanceof UnreadableLine) return { reason: 'This is not JSON.' }
  if (typeof value === 'object' && value !== null) {
    const own = idKeys.map((key): unknown => Reflect.get(value, key)).find((each) => each !== undefined)
    return own === undefined || typeof own === 'object' ? { reason: `It has no ${idKeys[0]} and no id.` } : toId(own)
  }
  if (typeof value !== 'string') return { reason: 'An id is text.' }
  const id = /^[a-z][a-z0-9+.-]*:\/\/\/.+\/call\/([^/]+)$/i.exec(value.trim())?.[1] ?? value.trim()
  if (id === '') return { reason: 'There is no id.' }
  if (id.length > maxIdLength) return { reason: `An id has at most ${maxIdLength} characters.` }
  return /^[\w.:-]+$/.test(id) ? id : { reason: 'An id has letters, digits and - _ . : only.' }
}

const maxShownCharacters = 80

function toShortText(value: unknown): string {
  const text = value instanceof UnreadableLine ? value.text.trim() : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text
}
