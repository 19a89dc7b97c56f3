import { setImmediate as nextTurn } from 'node:timers/promises'
import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import type { RequestContext } from '../../http/route'
import type { CallRow } from '../call-row'
import type { CallWriter } from '../call-writer'
import { nested } from './nested'
import { readProjectId, type SpanProject } from './read-project-id'
import { Rejections } from './rejections'
import { rowOfSpan } from './row-of-span'
import { type Attributes, type ExportRequest, type Json, RejectedSpan } from './span'

export type ExportDeps = {
  writer: CallWriter
  /** Told of each span that is not stored: exporters hardly show what they are answered. */
  onRejected: (username: string, place: string, reason: string) => void
}

const spansPerWrite = 1000
/** After so many spans others have their turn: a large request must not keep everyone waiting. */
const spansPerTurn = 100
/** It is stored with each of its spans. */
const mostResourceCharacters = 64 * 1024

/**
 * Stores the good spans of a request and answers with those that were not. A request with no good span is refused with
 * the first reasons, because exporters show a refusal and hide a partial success; an empty one is fine.
 */
export async function exportSpans(request: ExportRequest, context: RequestContext, deps: ExportDeps): Promise<Rejections> {
  const ofHeader = headerProject(context)
  const rejections = new Rejections()
  const reject = (place: string, reason: string) => {
    rejections.add(reason, place)
    deps.onRejected(context.user.username, place, reason)
  }
  let isAllForbidden = true
  let shared: SharedResource | undefined
  let waiting: { row: CallRow; place: string }[] = []
  const write = async () => {
    const refusals = await deps.writer.write(waiting.map(({ row }) => row))
    for (const [index, refusal] of refusals.entries()) if (refusal) reject(waiting[index]?.place ?? '', unreadable)
    waiting = []
  }
  let readCount = 0
  for (const span of request.spans()) {
    readCount += 1
    if (readCount % spansPerTurn === 0) await nextTurn()
    if (shared?.attributes !== span.resource)
      shared = sharedResource(span.resource, ofHeader ?? readProjectId(span.resource, context.user))
    if ('reason' in shared.project) {
      isAllForbidden &&= shared.project.isForbidden
      reject(span.place, shared.project.reason)
      continue
    }
    isAllForbidden = false
    try {
      const row = rowOfSpan(span.read(), shared.json, span.scope, shared.project.projectId)
      waiting.push({ row: { ...row, wb_user_id: context.user.username }, place: span.place })
    } catch (error) {
      if (!(error instanceof RejectedSpan)) throw error
      reject(span.place, error.message)
    }
    if (waiting.length === spansPerWrite) await write()
  }
  if (waiting.length > 0) await write()
  if (rejections.count > 0 && rejections.count === request.spanCount) {
    const problems = rejections.lines().map((msg) => ({ loc: ['body'], msg, type: isAllForbidden ? 'forbidden' : 'value_error' }))
    throw new HttpError(isAllForbidden ? 'forbidden' : 'invalid', problems)
  }
  return rejections
}

const unreadable = 'The store cannot read the span. Check its texts and times.'

type SharedResource = { attributes: Attributes; json: { [key: string]: Json }; project: SpanProject }

function sharedResource(attributes: Attributes, project: SpanProject): SharedResource {
  const json = nested(attributes)
  if (JSON.stringify(json).length <= mostResourceCharacters) return { attributes, json, project }
  const reason = `The attributes of the resource are longer than ${mostResourceCharacters / 1024} Ki characters.`
  return { attributes, json: {}, project: { reason, isForbidden: false } }
}

function headerProject(context: RequestContext): SpanProject | undefined {
  const named = context.header('project_id')
  if (named === undefined) return undefined
  const parsed = ProjectId.safeParse(named)
  if (!parsed.success) {
    const msg = parsed.error.issues[0]?.message ?? 'Must name a project.'
    throw new HttpError('invalid', { loc: ['header', 'project_id'], msg, type: 'value_error' })
  }
  context.requireProject(parsed.data)
  return { projectId: parsed.data }
}
