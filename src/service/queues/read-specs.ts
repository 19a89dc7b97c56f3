import { type AnnotationSpec, parseAnnotationSpec, toObjectRef } from '../../contract/annotation-spec'
import { type FieldKind, readFieldKind } from '../../contract/field-schema'
import type { JsonText } from '../lib/json-text'
import type { QueryOptions } from '../store/store'

/** The values of references, null where one leads to nothing that the project has. Another part of the service reads them. */
export type ReadRefs = (projectId: string, refs: readonly string[], options: QueryOptions) => Promise<(JsonText | null)[]>

/** No annotation spec is so long; other objects may be, and parsing them holds up everybody. */
const maxSpecLength = 1_048_576

/** The kind of the answers to each annotation spec by its reference: `other` for a reference that leads to none. */
export async function readFieldKinds(
  readRefs: ReadRefs,
  projectId: string,
  refs: readonly string[],
  options: QueryOptions,
): Promise<Map<string, FieldKind>> {
  const values = refs.length > 0 ? await readRefs(projectId, refs.map(toObjectRef), options) : []
  return new Map(refs.map((ref, index) => [ref, readFieldKind(toSpec(values[index] ?? null)?.fieldSchema)]))
}

function toSpec(value: JsonText | null): AnnotationSpec | undefined {
  return value && value.text.length <= maxSpecLength ? parseAnnotationSpec(value.parse()) : undefined
}

/** Whether two answers of this kind can be compared. */
export function isComparable(kind: FieldKind): boolean {
  return kind !== 'text' && kind !== 'other'
}
