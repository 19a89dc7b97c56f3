import { parseAnnotationType, toObjectRef } from '../../../contract/annotation-spec'
import type { NewFeedback } from '../../../contract/feedback'
import { isJsonObject } from '../../../contract/json-value'
import { HttpError } from '../../http/http-error'
import { parseRef } from '../objects/parse-ref'

/** An answer of a person, to be checked against the annotation spec that `ref` leads to. `loc`: where the feedback is. */
export type Annotation = { projectId: string; ref: string; value: unknown; loc: readonly string[] }

/** The annotation that feedback is; undefined for other feedback. Throws (422) where W&B Weave's form is not kept. */
export function readAnnotation(feedback: NewFeedback, loc: readonly string[]): Annotation | undefined {
  const { project_id: projectId, feedback_type: type, annotation_ref: sentRef, payload } = feedback
  const name = parseAnnotationType(type)
  if (name === undefined) {
    if (sentRef === undefined) return undefined
    throw invalid([...loc, 'annotation_ref'], "Only feedback of a type 'wandb.annotation.<name>' has an annotation_ref.")
  }
  if (name === '') throw invalid([...loc, 'feedback_type'], "An annotation has the type 'wandb.annotation.<name of its spec>'.")
  const form = `weave:///${projectId}/object/${name}:<version>`
  if (sentRef === undefined) {
    throw invalid([...loc, 'annotation_ref'], `An annotation names its spec: ${form}.`, 'missing')
  }
  const ref = toObjectRef(sentRef)
  const target = parseRef(ref)
  if (target?.kind !== 'object' || target.path.length > 0) {
    throw invalid([...loc, 'annotation_ref'], `Not a reference to an annotation spec. Expected ${form}.`)
  }
  if (target.projectId !== projectId) {
    throw invalid([...loc, 'annotation_ref'], `The annotation spec is in another project. Expected ${form}.`)
  }
  if (target.objectId !== name && decode(target.objectId) !== name) {
    throw invalid([...loc, 'annotation_ref'], `The type names another spec than the reference. Expected ${form}.`)
  }
  if (!isJsonObject(payload) || payload['value'] === undefined) {
    throw invalid([...loc, 'payload', 'value'], 'An annotation has its answer here.', 'missing')
  }
  return { projectId, ref, value: payload['value'], loc }
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

function invalid(loc: string[], msg: string, type = 'value_error'): HttpError {
  return new HttpError('invalid', { loc, msg, type })
}
