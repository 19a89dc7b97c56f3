import { isJsonObject } from './json-value'

export const annotationSpecClass = 'AnnotationSpec'

const annotationTypePrefix = 'wandb.annotation.'

/** The type of the feedback that answers an annotation spec. */
export function toAnnotationType(specName: string): string {
  return annotationTypePrefix + specName
}

/** The name in `wandb.annotation.<name>`: '' where it is missing, undefined for other types of feedback. */
export function parseAnnotationType(feedbackType: string): string | undefined {
  if (feedbackType === annotationTypePrefix.slice(0, -1)) return ''
  return feedbackType.startsWith(annotationTypePrefix) ? feedbackType.slice(annotationTypePrefix.length) : undefined
}

/** What people are asked. `fieldSchema` is the JSON Schema of their answers. */
export type AnnotationSpec = { name: string | null; description: string | null; fieldSchema: Readonly<Record<string, unknown>> }

/** Reads the value of an object of the class `AnnotationSpec`; undefined for any other value. */
export function parseAnnotationSpec(value: unknown): AnnotationSpec | undefined {
  if (!isJsonObject(value)) return undefined
  const { _class_name: className, name, description, field_schema: fieldSchema = {} } = value
  if (className !== annotationSpecClass || !isJsonObject(fieldSchema)) return undefined
  return {
    name: typeof name === 'string' ? name : null,
    description: typeof description === 'string' ? description : null,
    fieldSchema,
  }
}

/**
 * The reference to the object that a scorer reference names: annotations refer to their spec as an object, scorer references
 * may say `scorer`.
 */
export function toObjectRef(scorerRef: string): string {
  return scorerRef.replace(/^([^/]+:\/\/\/[^/]+\/[^/]+)\/scorer\//, '$1/object/')
}

/**
 * Says in a field schema that a reviewer may leave the question out. A Spool extension: JSON Schema has no keyword for it, and
 * validators ignore unknown ones.
 */
export const optionalAnswerKeyword = 'x-optional'

/** Whether an item can be completed without an answer to this question. */
export function isAnswerOptional(fieldSchema: AnnotationSpec['fieldSchema']): boolean {
  return fieldSchema[optionalAnswerKeyword] === true
}
