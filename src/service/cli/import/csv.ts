/** `line` is the line on which the record begins, from 1. */
export type CsvRecord = { line: number; fields: string[] }
export type CsvProblem = { line: number; msg: string }

// A field, quoted or not, and what ends it.
const fieldPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

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
  let isAtEnd = text === ''
  fieldPattern.lastIndex = 0
  while (!isAtEnd) {
    const match = fieldPattern.exec(text)
    if (!match) {
      const msg = `A quote is in the wrong place in field ${fields.length + 1}. Quote the whole field, and write a quote in it as "".`
      return { records, problem: { line, msg } }
    }
    const [, quoted, plain = '', delimiter] = match
    fields.push(quoted?.replaceAll('""', '"') ?? plain)
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0
    if (delimiter === ',') continue
    if (fields.length > 1 || fields[0]?.trim() !== '') records.push({ line: recordLine, fields })
    fields = []
    line += 1
    recordLine = line
    isAtEnd = fieldPattern.lastIndex === text.length
  }
  return { records, problem: undefined }
}
