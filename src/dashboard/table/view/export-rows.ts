import type { Column, ExportValue, TableDefinition } from '../column'
import { formatCsvLine } from './csv'

export const exportFormats = ['CSV', 'JSON', 'NDJSON'] as const
export type ExportFormat = (typeof exportFormats)[number]

type ExportColumn<Row, Display> = Pick<Column<Row, Display>, 'id' | 'label' | 'exportUnit' | 'exportValue'>

type Options<Row, Display> = {
  name: string
  format: ExportFormat
  columns: readonly ExportColumn<Row, Display>[]
  context?: TableDefinition<Row, Display>['exportContext']
  display: Display
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
  onProgress: (count: number) => void
  signal: AbortSignal
}

const mediaTypes: Record<ExportFormat, string> = {
  CSV: 'text/csv;charset=utf-8',
  JSON: 'application/json',
  NDJSON: 'application/x-ndjson',
}

/** Downloads rows as a file. Returns how many, or undefined if it was stopped: then there is no file. */
export async function saveRows<Row, Display>(options: Options<Row, Display>): Promise<number | undefined> {
  const { name, format, signal, onProgress } = options
  const parts: string[] = []
  let count = 0
  for await (const { text, rowCount } of untilAborted(formatRows(options), signal)) {
    parts.push(text)
    count += rowCount
    onProgress(count)
  }
  if (signal.aborted) return undefined
  const url = URL.createObjectURL(new Blob(parts, { type: mediaTypes[format] }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${format.toLowerCase()}`
  link.click()
  // The browser reads the blob after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return count
}

/** Ends at once when `signal` is aborted, even while it waits for a response. */
export async function* untilAborted<Value>(values: AsyncGenerator<Value>, signal: AbortSignal): AsyncGenerator<Value> {
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }))
  })
  while (!signal.aborted) {
    const next = await Promise.race([values.next(), aborted])
    if (next.done) return
    yield next.value
  }
}

/** The text of the file, batch by batch: raw values as on the wire, with units in the header row (CSV) or beside the rows (JSON). */
export async function* formatRows<Row, Display>(
  options: Pick<Options<Row, Display>, 'format' | 'columns' | 'context' | 'display' | 'batches'>,
): AsyncGenerator<{ text: string; rowCount: number }> {
  const { format, display, batches, context = {} } = options
  const columns: ExportColumn<Row, Display>[] = [
    ...options.columns.filter(({ exportValue }) => exportValue),
    ...Object.entries(context).map(([label, value]) => ({ id: label, label, exportValue: () => value })),
  ]
  const toValues = (row: Row) => columns.map((column) => column.exportValue?.(row, display) ?? null)
  const toObject = (row: Row): Record<string, ExportValue> => {
    const values = toValues(row)
    return Object.fromEntries(columns.map(({ id }, index) => [id, values[index] ?? null]))
  }
  if (format === 'CSV') {
    const head = columns.map(({ label, exportUnit }) => (exportUnit ? `${label} (${exportUnit})` : label))
    yield { text: formatCsvLine(head), rowCount: 0 }
  }
  if (format === 'JSON') {
    const columnInfo = columns.map(({ id, label, exportUnit }) => ({ id, label, unit: exportUnit ?? null }))
    yield { text: `{"zone":"UTC","columns":${JSON.stringify(columnInfo)},"rows":[\n`, rowCount: 0 }
  }
  let isFirst = true
  for await (const rows of batches) {
    const texts = rows.map((row) => (format === 'CSV' ? formatCsvLine(toValues(row)) : JSON.stringify(toObject(row))))
    const separator = format === 'CSV' ? '' : format === 'JSON' ? ',\n' : '\n'
    const joined = texts.join(separator)
    const before = format === 'JSON' && !isFirst && texts.length > 0 ? separator : ''
    yield { text: `${before}${joined}${format === 'NDJSON' && texts.length > 0 ? '\n' : ''}`, rowCount: rows.length }
    if (texts.length > 0) isFirst = false
  }
  if (format === 'JSON') yield { text: '\n]}\n', rowCount: 0 }
}
