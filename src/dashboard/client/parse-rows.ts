import * as z from 'zod/mini'
import { formatSchemaError } from './format-schema-error'

/** An unreadable row of a response: its number (from 1), the start of its text, and the reason. */
export type BrokenLine = { line: number; text: string; reason: string }

const maxShownCharacters = 300

export function toBrokenLine(line: number, text: string, reason: string): BrokenLine {
  return { line, text: text.slice(0, maxShownCharacters), reason }
}

/** Parses each value by itself. `firstLine` is the number of the first. */
export function parseRows<Row extends z.core.$ZodType>(schema: Row, values: readonly unknown[], firstLine = 1) {
  const rows: z.output<Row>[] = []
  const brokenLines: BrokenLine[] = []
  for (const [index, value] of values.entries()) {
    const parsed = z.safeParse(schema, value)
    if (parsed.success) rows.push(parsed.data)
    else brokenLines.push(toBrokenLine(firstLine + index, JSON.stringify(value), formatSchemaError(parsed.error)))
  }
  return { rows, brokenLines }
}
