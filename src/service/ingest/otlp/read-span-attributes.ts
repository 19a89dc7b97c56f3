import type { AttributeReader } from './attributes/attribute-reader'
import { readFinishReasons, readHeading, readModelParameters } from './conventions/conventions'
import { headings } from './conventions/semantic-convention'
import type { Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'

/** The attributes of a call that do not depend on the convention of its span, and those that the program chose itself. */
export function readSpanAttributes(span: AttributeReader): { [name: string]: Json } {
  const texts = headings.flatMap((name) => {
    const text = readHeading(span, name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const model_parameters = readModelParameters(span)
  const finish_reasons = readFinishReasons(span)
  return {
    ...Object.fromEntries(texts),
    ...(model_parameters ? { model_parameters } : {}),
    ...(finish_reasons ? { finish_reasons } : {}),
    // `wandb.attributes.<name>` becomes `<name>`.
    ...nestAttributes(new Map(Object.entries(span.map('wandb.attributes') ?? {}))),
  }
}
