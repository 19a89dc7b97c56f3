/** One record of a CSV file, with the line it begins on. */
export type CsvRecord = { line: number; fields: string[] }
export type CsvProblem = { line: number; msg: string }

const separator = ','

/**
 * Reads RFC 4180: fields parted by commas, records by CRLF, LF or CR; a field in quotes may hold all of these, and a quote
 * written twice. Blank lines are left out. After the first problem nothing more is read, since what follows cannot be told.
 */
export function readCsv(text: string): { records: CsvRecord[]; problem: CsvProblem | undefined } {
  const records: CsvRecord[] = []
  let position = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  let fields: string[] = []
  let recordLine = line
  const stopped = (msg: string, at = line) => ({ records, problem: { line: at, msg } })
  while (position < text.length) {
    if (text[position] === '"') {
      const quoted = readQuoted(text, position)
      if (!quoted) return stopped('The quotes that begin here are never closed.')
      fields.push(quoted.value)
      position = quoted.end
      line += lineBreaksIn(quoted.value)
      if (position < text.length && !isDelimiter(text[position])) {
        return stopped(
          `Text follows the closing quote of field ${fields.length}. Quote the whole field, and write a quote within as "".`,
        )
      }
    } else {
      const start = position
      while (position < text.length && !isDelimiter(text[position])) position += 1
      const value = text.slice(start, position)
      if (value.includes('"')) {
        return stopped(
          `A quote stands within field ${fields.length + 1}, which is not quoted. Quote the whole field, and write the quote as "".`,
        )
      }
      fields.push(value)
    }
    if (text[position] === separator) {
      position += 1
      // A separator at the very end still has an empty field behind it.
      if (position === text.length) fields.push('')
      else continue
    } else if (position < text.length) position += text.startsWith('\r\n', position) ? 2 : 1
    if (fields.length > 1 || fields[0]?.trim() !== '') records.push({ line: recordLine, fields })
    fields = []
    line += 1
    recordLine = line
  }
  return { records, problem: undefined }
}

function readQuoted(text: string, start: number): { value: string; end: number } | undefined {
  let value = ''
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return undefined
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}

function isDelimiter(character: string | undefined): boolean {
  return character === separator || character === '\n' || character === '\r'
}

function lineBreaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}
