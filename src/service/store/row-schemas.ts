import * as z from 'zod/mini'
import { compileSchema } from '../../contract/compile-schema'

/** Some schemas are made for one statement with few rows. */
const minRows = 500

type Use = { rowCount: number; schema: z.core.$ZodType; isCompiled: boolean }
const uses = new WeakMap<z.core.SomeType, Use>()

/** A schema for a list of rows, of which `rowCount` come now. Once many have come it is compiled: rows are parsed on the event loop. */
export function schemaForRows<Row extends z.core.SomeType>(row: Row, rowCount: number): z.core.$ZodArray<Row> {
  const use: Use = uses.get(row) ?? { rowCount: 0, schema: z.array(row), isCompiled: false }
  uses.set(row, use)
  use.rowCount += rowCount
  if (use.rowCount >= minRows && !use.isCompiled) {
    use.schema = z.array(row instanceof z.core.$ZodType ? compileSchema(row) : row)
    use.isCompiled = true
  }
  return use.schema as z.core.$ZodArray<Row> // its rows are of the same definition
}
