import * as z from 'zod/mini'

/** To compile a parser takes as long as to parse a hundred rows or so, and some schemas are made for one statement. */
const minRows = 500

type Use = { rowCount: number; schema: z.core.$ZodType; isCompiled: boolean }
const uses = new WeakMap<z.core.SomeType, Use>()

/**
 * A schema for a list of rows, of which `rowCount` come now. Once many have come, their parser is compiled: `zod/mini` goes through the
 * fields of each object anew, which takes five times as long, and rows are parsed on the event loop. The values and errors are the
 * same. Objects within a row are not compiled.
 */
export function schemaForRows<Row extends z.core.SomeType>(row: Row, rowCount: number): z.core.$ZodArray<Row> {
  const use: Use = uses.get(row) ?? { rowCount: 0, schema: z.array(row), isCompiled: false }
  uses.set(row, use)
  use.rowCount += rowCount
  if (use.rowCount >= minRows && !use.isCompiled && row instanceof z.core.$ZodObject) {
    use.schema = z.array(new z.core.$ZodObjectJIT({ ...row._zod.def }))
    use.isCompiled = true
  }
  return use.schema as z.core.$ZodArray<Row> // its rows are of the same definition
}
