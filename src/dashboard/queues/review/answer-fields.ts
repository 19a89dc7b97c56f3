import { parseAnnotationSpec, toObjectRef } from '../../../contract/annotation-spec'
import { decodeScorerName, parseScorerRef } from '../../../contract/scorer-ref'
import { toAnswerControl } from './answer-control'
import type { AnswerField } from './sent-answers'

/** A scorer of the queue that people do not answer, and why. */
export type UnaskedScorer = { ref: string; reason: string }

/** The references that may lead to annotation specs of the project, as the service reads them. */
export function toSpecRefs(scorerRefs: readonly string[], projectId: string): string[] {
  return scorerRefs.filter((ref) => findObstacle(ref, projectId) === undefined).map(toObjectRef)
}

function findObstacle(ref: string, projectId: string): string | undefined {
  const parts = parseScorerRef(ref)
  if (typeof parts === 'string') return parts
  return `${parts.entity}/${parts.project}` === projectId
    ? undefined
    : `It belongs to the project ${parts.entity}/${parts.project}: people answer annotation specs of their own project.`
}

/** What people are asked, in the order of the queue. `values` are those of `toSpecRefs`, in that order. */
export function toAnswerFields(
  scorerRefs: readonly string[],
  values: readonly unknown[],
  projectId: string,
): { fields: AnswerField[]; unasked: UnaskedScorer[] } {
  const valueByRef = new Map(toSpecRefs(scorerRefs, projectId).map((ref, index) => [ref, values[index]]))
  const fields: AnswerField[] = []
  const unasked: UnaskedScorer[] = []
  for (const ref of new Set(scorerRefs)) {
    const parts = parseScorerRef(ref)
    const obstacle = findObstacle(ref, projectId)
    if (obstacle !== undefined || typeof parts === 'string') {
      unasked.push({ ref, reason: obstacle ?? '' })
      continue
    }
    const value = valueByRef.get(toObjectRef(ref))
    const spec = parseAnnotationSpec(value)
    const name = decodeScorerName(parts.name)
    if (!spec) {
      const reason = value ? 'It is a scorer that a program runs, not an annotation spec.' : 'The project has no such object.'
      unasked.push({ ref, reason })
    } else if (fields.some((field) => field.name === name)) {
      unasked.push({ ref, reason: `Another version of '${name}' is asked for already.` })
    } else {
      const { description, fieldSchema: schema } = spec
      fields.push({ ref, name, title: spec.name || name, description, schema, control: toAnswerControl(schema) })
    }
  }
  return { fields, unasked }
}
