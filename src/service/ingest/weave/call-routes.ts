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
import { type BatchDeps, storeBatch, unreadableCall } from './store-batch'
import { completeCallToCallRow, endToCallRow, startToCallRow } from './to-call-row'

export type CallDeps = BatchDeps & { newId: () => string }

/** How SDKs of W&B Weave write calls: as start and end or complete, one by one or in batches. */
export function callRoutes(deps: CallDeps): Route[] {
  const { writer, newId } = deps
  const storeOne = async (row: CallRow, part: 'start' | 'end', context: RequestContext) => {
    context.requireProject(row.project_id)
    // The user of a call is the one who sends its start.
    const [error] = await writer.write(
      [part === 'start' ? { ...row, wb_user_id: context.user.username } : row],
      context.reader.share,
    )
    if (error) throw new HttpError('invalid', { loc: ['body', part], msg: unreadableCall, type: 'value_error' })
  }
  return [
    route(startCall, async ({ start }, context) => {
      const row = startToCallRow(start, newId)
      await storeOne(row, 'start', context)
      return { id: row.id, trace_id: row.trace_id }
    }),
    route(endCall, async ({ end }, context) => {
      await storeOne(endToCallRow(end), 'end', context)
      return {}
    }),
    route(upsertCalls, async ({ batch }, context) => {
      const { results } = await storeBatch(batch, CallPart, (part) => partToCallRow(part, newId), context, deps)
      return { res: results }
    }),
    route(completeCalls, async ({ entity, project, batch }, context) => {
      const projectId = readPathProject(entity, project, context)
      const toRow = (call: CompleteCall) => ({ row: completeCallToCallRow(call), result: {} })
      const { results, refusedCount } = await storeBatch(batch, CompleteCall, toRow, context, deps, projectId)
      return refusedCount > 0 ? { res: results } : {}
    }),
    route(startProjectCall, async ({ entity, project, start }, context) => {
      requireSameProject(readPathProject(entity, project, context), start.project_id, 'start')
      const row = startToCallRow(start, newId)
      await storeOne(row, 'start', context)
      return { id: row.id, trace_id: row.trace_id }
    }),
    route(endProjectCall, async ({ entity, project, end }, context) => {
      requireSameProject(readPathProject(entity, project, context), end.project_id, 'end')
      await storeOne(endToCallRow(end), 'end', context)
      return {}
    }),
  ]
}

type PartResult = z.input<typeof upsertCalls.response>['res'][number]

function partToCallRow(part: z.output<typeof CallPart>, newId: () => string): { row: CallRow; result: PartResult } {
  if (part.mode === 'end') return { row: endToCallRow(part.req.end), result: {} }
  const row = startToCallRow(part.req.start, newId)
  return { row, result: { id: row.id, trace_id: row.trace_id } }
}

function readPathProject(entity: string, project: string, context: RequestContext): string {
  const parsed = ProjectId.safeParse(`${entity}/${project}`)
  if (!parsed.success) {
    throw new HttpError('invalid', { loc: ['path'], msg: 'The path must name <entity>/<project>.', type: 'value_error' })
  }
  context.requireProject(parsed.data)
  return parsed.data
}

function requireSameProject(pathProject: string, projectId: string, part: 'start' | 'end'): void {
  if (projectId === pathProject) return
  throw new HttpError('invalid', {
    loc: ['body', part, 'project_id'],
    msg: `Must be the project of the path, '${pathProject}'.`,
    type: 'value_error',
  })
}
