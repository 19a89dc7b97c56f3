import type { ExportValue } from '../column'

/** One line of CSV (RFC 4180). */
export function formatCsvLine(values: readonly ExportValue[]): string {
  return `${values.map(formatCsvField).join(',')}\r\n`
}

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets hide. Otherwise a thread's
 * name could run code on the machine that opens the export (CSV injection). Numbers stay numbers.
 */
export function formatCsvField(value: ExportValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r\n]|^\s+[=+\-@]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
