import type { AttributeReader } from './attributes/attribute-reader'
import { readFinishReasons, readHeading, readModelParameters, readOwnAttributes } from './conventions/conventions'
import { headings } from './conventions/semantic-convention'
import type { Json } from './attributes/attributes'

/** The attributes of a call that do not depend on the convention of its span, and those that the program chose itself. */
export function readSpanAttributes(span: AttributeReader): { [name: string]: Json } {
  const attributes: { [name: string]: Json } = {}
  for (const name of headings) {
    const text = readHeading(span, name)
    if (text !== undefined) attributes[name] = text
  }
  const modelParameters = readModelParameters(span)
  const finishReasons = readFinishReasons(span)
  if (modelParameters) attributes['model_parameters'] = modelParameters
  if (finishReasons) attributes['finish_reasons'] = finishReasons
  return { ...attributes, ...readOwnAttributes(span) }
}
