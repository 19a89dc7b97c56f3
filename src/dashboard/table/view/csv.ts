import type { ExportValue } from '../column'

/** One line of CSV (RFC 4180). */
export function csvLine(values: readonly ExportValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe before it, which spreadsheets hide: whoever named a
 * model or a thread must not run anything on the machine of whoever opens the export. Numbers stay numbers.
 */
export function csvField(value: ExportValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r\n]|^\s+[=+\-@]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
