import type * as z from 'zod/mini'
import {
  CallPart,
  CompleteCall,
  completeCalls,
  endCall,
  endProjectCall,
  startCall,
  startProjectCall,
  upsertCalls,
} from '../../../contract/call-writes'
import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import { type RequestContext, type Route, route } from '../../http/route'
import type { CallRow } from '../call-row'
import { rowOfCompleteCall, rowOfEnd, rowOfStart } from './rows-of-calls'
import { type BatchDeps, storeBatch, unreadable } from './store-batch'

export type CallDeps = BatchDeps & { newId: () => string }

/** What SDKs send: calls in parts or whole, one by one or in batches. */
export function callRoutes(deps: CallDeps): Route[] {
  const { writer, newId } = deps
  const storeOne = async (row: CallRow, part: 'start' | 'end', context: RequestContext) => {
    context.requireProject(row.project_id)
    // Whoever starts a call is its user; an end by another changes nothing.
    const [refusal] = await writer.write([part === 'start' ? { ...row, wb_user_id: context.user.username } : row])
    if (refusal) throw new HttpError('invalid', { loc: ['body', part], msg: unreadable, type: 'value_error' })
  }
  return [
    route(startCall, async ({ start }, context) => {
      const row = rowOfStart(start, newId)
      await storeOne(row, 'start', context)
      return { id: row.id, trace_id: row.trace_id }
    }),
    route(endCall, async ({ end }, context) => {
      await storeOne(rowOfEnd(end), 'end', context)
      return {}
    }),
    route(upsertCalls, async ({ batch }, context) => {
      const { answers } = await storeBatch(batch, CallPart, (part) => readPart(part, newId), context, deps)
      return { res: answers }
    }),
    route(completeCalls, async ({ entity, project, batch }, context) => {
      const projectId = pathProject(entity, project, context)
      const read = (call: CompleteCall) => ({ row: rowOfCompleteCall(call), answer: {} })
      const { answers, refusedCount } = await storeBatch(batch, CompleteCall, read, context, deps, projectId)
      return refusedCount > 0 ? { res: answers } : {}
    }),
    route(startProjectCall, async ({ entity, project, start }, context) => {
      requireSameProject(pathProject(entity, project, context), start.project_id, 'start')
      const row = rowOfStart(start, newId)
      await storeOne(row, 'start', context)
      return { id: row.id, trace_id: row.trace_id }
    }),
    route(endProjectCall, async ({ entity, project, end }, context) => {
      requireSameProject(pathProject(entity, project, context), end.project_id, 'end')
      await storeOne(rowOfEnd(end), 'end', context)
      return {}
    }),
  ]
}

type PartAnswer = z.input<typeof upsertCalls.response>['res'][number]

function readPart(part: z.output<typeof CallPart>, newId: () => string): { row: CallRow; answer: PartAnswer } {
  if (part.mode === 'end') return { row: rowOfEnd(part.req.end), answer: {} }
  const row = rowOfStart(part.req.start, newId)
  return { row, answer: { id: row.id, trace_id: row.trace_id } }
}

function pathProject(entity: string, project: string, context: RequestContext): string {
  const parsed = ProjectId.safeParse(`${entity}/${project}`)
  if (!parsed.success) {
    throw new HttpError('invalid', { loc: ['path'], msg: 'The path must name <entity>/<project>.', type: 'value_error' })
  }
  context.requireProject(parsed.data)
  return parsed.data
}

function requireSameProject(ofPath: string, own: string, part: 'start' | 'end'): void {
  if (own === ofPath) return
  throw new HttpError('invalid', {
    loc: ['body', part, 'project_id'],
    msg: `Must be the project of the path, '${ofPath}'.`,
    type: 'value_error',
  })
}
