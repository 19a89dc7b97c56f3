import type { Preparation } from '../../http/prepare/preparation'
import { type CallPortion, CallPortionBuilder } from '../call-portion'
import type { Attributes, Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'
import { spansSignal } from './export-request'
import { InvalidOtlpError } from './invalid-otlp-error'
import { readHeaderProject, readProjectId, type SpanProject } from './read-project-id'
import { type OtlpContext, readRequest } from './read-request'
import { spanToCallRow } from './span-to-call-row'

/** Spans that follow each other in a request. The items are their places in it. */
export type SpanPortion = CallPortion<string> & { rejected: { place: string; reason: string }[] }

/** `isAllForbidden`: no span is of a project that the user may access. */
export type SpansEnd = { itemCount: number; isAllForbidden: boolean }

const maxRejected = 1000
/** The attributes of a resource are stored with each of its spans. */
const maxResourceCharacters = 64 * 1024

export const prepareSpans: Preparation<OtlpContext, SpanPortion, SpansEnd> = {
  name: 'spans',
  *prepare(body, { user, isJson, headerProject }) {
    const request = readRequest(body, isJson, spansSignal)
    const projectOfHeader = headerProject === undefined ? undefined : readHeaderProject(headerProject, user)
    const builder = new CallPortionBuilder<string>()
    let rejected: SpanPortion['rejected'] = []
    let isAllForbidden = true
    let resource: SpanResource | undefined
    for (const span of request.items()) {
      if (resource?.attributes !== span.resource) {
        resource = toSpanResource(span.resource, projectOfHeader ?? readProjectId(span.resource, user))
      }
      if ('reason' in resource.project) {
        isAllForbidden &&= resource.project.isForbidden
        rejected.push({ place: span.place, reason: resource.project.reason })
      } else {
        isAllForbidden = false
        try {
          const row = spanToCallRow(span.decode(), resource.json, span.scope, resource.project.projectId)
          row.wb_user_id = user.username
          builder.add(row, span.place)
        } catch (error) {
          if (!(error instanceof InvalidOtlpError)) throw error
          rejected.push({ place: span.place, reason: error.message })
        }
      }
      if (!builder.isFull && rejected.length < maxRejected) continue
      yield { ...builder.take(), rejected }
      rejected = []
    }
    yield { ...builder.take(), rejected }
    return { itemCount: request.itemCount, isAllForbidden }
  },
}

/** What the spans of one resource share: `json` is its attributes as they are stored. */
type SpanResource = { attributes: Attributes; json: { [key: string]: Json }; project: SpanProject }

function toSpanResource(attributes: Attributes, project: SpanProject): SpanResource {
  const json = nestAttributes(attributes)
  if (JSON.stringify(json).length <= maxResourceCharacters) return { attributes, json, project }
  const reason = `The attributes of the resource are longer than ${maxResourceCharacters / 1024} Ki characters.`
  return { attributes, json: {}, project: { reason, isForbidden: false } }
}
