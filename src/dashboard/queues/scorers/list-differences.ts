import { parseAnnotationSpec } from '../../../contract/annotation-spec'
import { toJsonKey } from '../../../contract/field-schema'
import { isJsonObject } from '../../../contract/json-value'
import { describeAnswer, listSchemaChoices } from './describe-answer'

/** One line of what a newer version changed. Text from outside is in `before` and `after` only. */
export type Difference = { what: string; before?: string; after?: string }

/** How two versions of a scorer differ, as reviewers see it; what they do not see is only named. */
export function listDifferences(before: unknown, after: unknown): Difference[] {
  const old = parseAnnotationSpec(before)
  const next = parseAnnotationSpec(after)
  if (!old || !next) return old || next ? [{ what: 'Another class of object' }] : listOtherKeys(before, after)
  const compare = (what: string, from: string, to: string): Difference[] =>
    from === to ? [] : [{ what, ...(from && { before: from }), ...(to && { after: to }) }]
  const answers = [
    ...compare('Answer', describeAnswer(old.fieldSchema), describeAnswer(next.fieldSchema)),
    ...compareChoices(listSchemaChoices(old.fieldSchema), listSchemaChoices(next.fieldSchema)),
  ]
  const isSchemaEqual = toJsonKey(old.fieldSchema) === toJsonKey(next.fieldSchema)
  return [
    ...compare('Name', old.name ?? '', next.name ?? ''),
    ...compare('Description', old.description ?? '', next.description ?? ''),
    ...(answers.length === 0 && !isSchemaEqual ? [{ what: 'The schema of the answers' }] : answers),
    ...listOtherKeys(before, after),
  ]
}

function compareChoices(before: readonly string[], after: readonly string[]): Difference[] {
  const removed = before.filter((choice) => !after.includes(choice))
  const added = after.filter((choice) => !before.includes(choice))
  const isReordered =
    before.length > 0 &&
    before.filter((choice) => after.includes(choice)).join('\0') !== after.filter((choice) => before.includes(choice)).join('\0')
  return [
    ...removed.map((choice) => ({ what: 'Category removed', before: choice })),
    ...added.map((choice) => ({ what: 'Category added', after: choice })),
    ...(isReordered ? [{ what: 'Order of the categories' }] : []),
  ]
}

const shownKeys = new Set(['name', 'description', 'field_schema', 'ref'])

function listOtherKeys(before: unknown, after: unknown): Difference[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return []
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => !shownKeys.has(key) && !key.startsWith('_') && toJsonKey(before[key]) !== toJsonKey(after[key]))
    .map((key) => ({ what: 'Setting', after: key }))
}
