import type { Column, ExportValue } from '../column'
import { csvLine } from './csv'

export type ExportFormat = 'CSV' | 'JSON' | 'NDJSON'

type Options<Row, Context> = {
  name: string
  format: ExportFormat
  columns: readonly Column<Row, Context>[]
  context: Context
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
  onProgress: (count: number) => void
  signal: AbortSignal
}

const media: Record<ExportFormat, string> = {
  CSV: 'text/csv;charset=utf-8',
  JSON: 'application/json',
  NDJSON: 'application/x-ndjson',
}

/** Writes rows to a file of the browser's. Answers how many, or undefined when it was stopped: then there is no file. */
export async function saveRows<Row, Context>(options: Options<Row, Context>): Promise<number | undefined> {
  const { name, format, signal, onProgress } = options
  const parts: string[] = []
  let count = 0
  for await (const { text, rowCount } of exportedText(options)) {
    if (signal.aborted) return undefined
    parts.push(text)
    count += rowCount
    onProgress(count)
  }
  const url = URL.createObjectURL(new Blob(parts, { type: media[format] }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format.toLowerCase()}`
  link.click()
  // The download reads the blob after this returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return count
}

/** The file, batch by batch: raw values as the wire has them, with their unit and zone in the head (CSV) or beside (JSON). */
export async function* exportedText<Row, Context>(
  options: Pick<Options<Row, Context>, 'format' | 'columns' | 'context' | 'batches'>,
): AsyncGenerator<{ text: string; rowCount: number }> {
  const { format, columns, context, batches } = options
  const valuesOf = (row: Row) => columns.map((column) => column.exported(row, context))
  const objectOf = (row: Row): Record<string, ExportValue> =>
    Object.fromEntries(columns.map((column) => [column.id, column.exported(row, context)]))
  if (format === 'CSV') {
    const head = columns.map(({ label, exportUnit }) => (exportUnit ? `${label} (${exportUnit})` : label))
    yield { text: csvLine(head), rowCount: 0 }
  }
  if (format === 'JSON') {
    const described = columns.map(({ id, label, exportUnit }) => ({ id, label, unit: exportUnit ?? null }))
    yield { text: `{"zone":"UTC","columns":${JSON.stringify(described)},"rows":[\n`, rowCount: 0 }
  }
  let isFirst = true
  for await (const rows of batches) {
    const texts = rows.map((row) => (format === 'CSV' ? csvLine(valuesOf(row)) : JSON.stringify(objectOf(row))))
    const separator = format === 'CSV' ? '' : format === 'JSON' ? ',\n' : '\n'
    const joined = texts.join(separator)
    const before = format === 'JSON' && !isFirst && texts.length > 0 ? separator : ''
    yield { text: `${before}${joined}${format === 'NDJSON' && texts.length > 0 ? '\n' : ''}`, rowCount: rows.length }
    if (texts.length > 0) isFirst = false
  }
  if (format === 'JSON') yield { text: '\n]}\n', rowCount: 0 }
}
