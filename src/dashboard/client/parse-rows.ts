import * as z from 'zod/mini'
import { formatSchemaError } from './format-schema-error'
import { pause } from './pause'

/** An unreadable row of a response: its number (from 1), the start of its text, and the reason. */
export type BrokenLine = { line: number; text: string; reason: string }

/** `isTruncated`: the browser stopped reading, because no page shows that many rows. */
export type RowsOfResponse<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isTruncated?: boolean }

/** More rows than these are not read: sorting and keeping them would make the page slow. */
export const maxRowsRead = 20_000

const maxShownCharacters = 300

export function toBrokenLine(line: number, text: string, reason: string): BrokenLine {
  return { line, text: text.slice(0, maxShownCharacters), reason }
}

/** Parses each value by itself, up to `maxRowsRead` of them. `firstLine` is the number of the first. */
export async function parseRows<Row extends z.core.$ZodType>(
  schema: Row,
  values: readonly unknown[],
  firstLine = 1,
): Promise<RowsOfResponse<z.output<Row>>> {
  const rows: z.output<Row>[] = []
  const brokenLines: BrokenLine[] = []
  for (const [index, value] of values.slice(0, maxRowsRead).entries()) {
    // Parsing all of them in one task would freeze the page.
    if (index % 2000 === 1999) await pause(0)
    const parsed = z.safeParse(schema, value)
    if (parsed.success) rows.push(parsed.data)
    else brokenLines.push(toBrokenLine(firstLine + index, JSON.stringify(value), formatSchemaError(parsed.error)))
  }
  return { rows, brokenLines, isTruncated: values.length > maxRowsRead }
}
