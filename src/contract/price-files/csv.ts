/** `line` is the line on which the record begins, from 1. */
export type CsvRecord = { line: number; fields: string[] }
export type CsvProblem = { line: number; msg: string }

const plainField = /[^",\r\n]*/y
const delimiterPattern = /,|\r\n|\n|\r|$/y

/**
 * Reads CSV by RFC 4180: fields are separated by commas, records by CRLF, LF or CR. A quoted field may contain all of these,
 * and a quote that is written twice. Blank lines are skipped. Reading stops at the first problem, because the boundaries of
 * everything after it are unknown.
 */
export function readCsv(text: string): { records: CsvRecord[]; problem: CsvProblem | undefined } {
  const records: CsvRecord[] = []
  let fields: string[] = []
  let line = 1
  let recordLine = 1
  let place = 0
  let isAtEnd = text === ''
  while (!isAtEnd) {
    const isQuoted = text[place] === '"'
    const end = isQuoted ? findEndOfQuoted(text, place) : matchAt(plainField, text, place)?.end
    const delimiter = end === undefined ? undefined : matchAt(delimiterPattern, text, end)
    if (end === undefined || !delimiter) {
      const msg = `A quote is in the wrong place in field ${fields.length + 1}. Quote the whole field, and write a quote in it as "".`
      return { records, problem: { line, msg } }
    }
    const field = isQuoted ? text.slice(place + 1, end - 1) : text.slice(place, end)
    fields.push(isQuoted ? field.replaceAll('""', '"') : field)
    line += isQuoted ? (field.match(/\r\n|\n|\r/g)?.length ?? 0) : 0
    place = delimiter.end
    if (delimiter.text === ',') continue
    if (fields.length > 1 || fields[0]?.trim() !== '') records.push({ line: recordLine, fields })
    fields = []
    line += 1
    recordLine = line
    isAtEnd = place === text.length
  }
  return { records, problem: undefined }
}

/** The place after the closing quote. Not a regular expression: those need memory for each character of a quoted field. */
function findEndOfQuoted(text: string, start: number): number | undefined {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end + 1
  }
  return undefined
}

function matchAt(sticky: RegExp, text: string, place: number): { text: string; end: number } | undefined {
  sticky.lastIndex = place
  const match = sticky.exec(text)
  return match ? { text: match[0], end: sticky.lastIndex } : undefined
}
