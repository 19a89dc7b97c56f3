import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import { parseJson } from '../../http/parse-json'
import type { Preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { type CallPortion, CallPortionBuilder } from '../call-portion'
import { type ExportRequest, InvalidFrameError, maxSpans, readExportRequest, TooManySpansError } from './export-request'
import { InvalidOtlpError } from './invalid-otlp-error'
import { jsonEncoding } from './json-encoding'
import type { Attributes, Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'
import { protobufEncoding } from './protobuf-encoding'
import { readProjectId, type SpanProject } from './read-project-id'
import { spanToCallRow } from './span-to-call-row'

/** `headerProject`: the project that the request's header names, if any. */
export type SpansContext = { user: User; isJson: boolean; headerProject: string | undefined }

/** Spans that follow each other in a request. The rows name the places of their spans. */
export type SpanPortion = CallPortion<string> & { rejected: { place: string; reason: string }[] }

/** `isAllForbidden`: no span is of a project that the user may access. */
export type SpansEnd = { spanCount: number; isAllForbidden: boolean }

const maxRejected = 1000
/** The attributes of a resource are stored with each of its spans. */
const maxResourceCharacters = 64 * 1024

export const prepareSpans: Preparation<SpansContext, SpanPortion, SpansEnd> = {
  name: 'spans',
  *prepare(body, { user, isJson, headerProject }) {
    const request = readRequest(body, isJson)
    const projectOfHeader = headerProject === undefined ? undefined : readHeaderProject(headerProject, user)
    const builder = new CallPortionBuilder<string>()
    let rejected: SpanPortion['rejected'] = []
    let isAllForbidden = true
    let resource: SpanResource | undefined
    for (const span of request.spans()) {
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
          builder.add({ ...row, wb_user_id: user.username }, span.place)
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
    return { spanCount: request.spanCount, isAllForbidden }
  },
}

function readRequest(body: Uint8Array, isJson: boolean): ExportRequest {
  try {
    return isJson ? readExportRequest(parseJson(body), jsonEncoding) : readExportRequest(body, protobufEncoding)
  } catch (error) {
    if (error instanceof TooManySpansError) {
      const msg = `A request may hold ${maxSpans} spans. Send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).`
      throw new HttpError('invalid', { loc: ['body'], msg, type: 'too_long' })
    }
    if (!(error instanceof InvalidFrameError)) throw error
    if (isJson) throw new HttpError('invalid', { loc: [...error.loc], msg: error.message, type: 'value_error' })
    const msg = `The body is not an ExportTraceServiceRequest of OTLP in protobuf. ${error.message}`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'protobuf_invalid' })
  }
}

/** What the spans of one resource share: `json` is its attributes as they are stored. */
type SpanResource = { attributes: Attributes; json: { [key: string]: Json }; project: SpanProject }

function toSpanResource(attributes: Attributes, project: SpanProject): SpanResource {
  const json = nestAttributes(attributes)
  if (JSON.stringify(json).length <= maxResourceCharacters) return { attributes, json, project }
  const reason = `The attributes of the resource are longer than ${maxResourceCharacters / 1024} Ki characters.`
  return { attributes, json: {}, project: { reason, isForbidden: false } }
}

/**
 * `OTEL_EXPORTER_OTLP_HEADERS` has values with percent-encoding, which some exporters send as they are (OpenLIT for
 * JavaScript 1.15.0). A project always has a slash, so the encoding shows.
 */
function decodeSlash(header: string): string {
  if (header.includes('/')) return header
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

function readHeaderProject(header: string, user: User): SpanProject {
  const parsed = ProjectId.safeParse(decodeSlash(header))
  if (!parsed.success) {
    const msg = parsed.error.issues[0]?.message ?? 'Must name a project.'
    throw new HttpError('invalid', { loc: ['header', 'project_id'], msg, type: 'value_error' })
  }
  requireProject(user, parsed.data)
  return { projectId: parsed.data }
}
