import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import type { RequestContext } from '../../http/route'
import type { CallRow } from '../call-row'
import type { CallWriter } from '../call-writer'
import type { ExportRequest } from './export-request'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { Attributes, Json } from './message'
import { nestAttributes } from './nest-attributes'
import { readProjectId, type SpanProject } from './read-project-id'
import { RejectedSpans } from './rejected-spans'
import { spanToCallRow } from './span-to-call-row'

export type ExportDeps = {
  writer: CallWriter
  /** Called for each span that is not stored, because exporters hardly show the response. */
  onRejected: (username: string, place: string, reason: string) => void
}

const spansPerWrite = 1000
/** A large request must not block the event loop for all others. */
const spansBetweenYields = 100
/** The attributes of a resource are stored with each of its spans. */
const maxResourceCharacters = 64 * 1024

/**
 * Stores the valid spans of a request and returns the others. A request in which no span is valid fails with the first
 * reasons, because exporters show an error and hide a partial success; a request without spans is fine.
 */
export async function exportSpans(request: ExportRequest, context: RequestContext, deps: ExportDeps): Promise<RejectedSpans> {
  const projectOfHeader = readHeaderProject(context)
  const rejected = new RejectedSpans()
  const reject = (place: string, reason: string) => {
    rejected.add(reason, place)
    deps.onRejected(context.user.username, place, reason)
  }
  let isAllForbidden = true
  let resource: SpanResource | undefined
  let pending: { row: CallRow; place: string }[] = []
  const writePending = async () => {
    const errors = await deps.writer.write(
      pending.map(({ row }) => row),
      context.reader.share,
    )
    for (const [index, error] of errors.entries()) if (error) reject(pending[index]?.place ?? '', unreadableSpan)
    pending = []
  }
  let readCount = 0
  for (const span of request.spans()) {
    readCount += 1
    if (readCount % spansBetweenYields === 0) await yieldToEventLoop()
    if (resource?.attributes !== span.resource) {
      resource = toSpanResource(span.resource, projectOfHeader ?? readProjectId(span.resource, context.user))
    }
    if ('reason' in resource.project) {
      isAllForbidden &&= resource.project.isForbidden
      reject(span.place, resource.project.reason)
      continue
    }
    isAllForbidden = false
    try {
      const row = spanToCallRow(span.decode(), resource.json, span.scope, resource.project.projectId)
      pending.push({ row: { ...row, wb_user_id: context.user.username }, place: span.place })
    } catch (error) {
      if (!(error instanceof InvalidOtlpError)) throw error
      reject(span.place, error.message)
    }
    if (pending.length === spansPerWrite) await writePending()
  }
  if (pending.length > 0) await writePending()
  if (rejected.count > 0 && rejected.count === request.spanCount) {
    const problems = rejected.lines().map((msg) => ({ loc: ['body'], msg, type: isAllForbidden ? 'forbidden' : 'value_error' }))
    throw new HttpError(isAllForbidden ? 'forbidden' : 'invalid', problems)
  }
  return rejected
}

const unreadableSpan = 'The store cannot read the span. Check its texts and times.'

/** What the spans of one resource share: `json` is its attributes as they are stored. */
type SpanResource = { attributes: Attributes; json: { [key: string]: Json }; project: SpanProject }

function toSpanResource(attributes: Attributes, project: SpanProject): SpanResource {
  const json = nestAttributes(attributes)
  if (JSON.stringify(json).length <= maxResourceCharacters) return { attributes, json, project }
  const reason = `The attributes of the resource are longer than ${maxResourceCharacters / 1024} Ki characters.`
  return { attributes, json: {}, project: { reason, isForbidden: false } }
}

function readHeaderProject(context: RequestContext): SpanProject | undefined {
  const header = context.header('project_id')
  if (header === undefined) return undefined
  const parsed = ProjectId.safeParse(header)
  if (!parsed.success) {
    const msg = parsed.error.issues[0]?.message ?? 'Must name a project.'
    throw new HttpError('invalid', { loc: ['header', 'project_id'], msg, type: 'value_error' })
  }
  context.requireProject(parsed.data)
  return { projectId: parsed.data }
}
