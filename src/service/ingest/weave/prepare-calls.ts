import { endCall, endProjectCall, startCall, startProjectCall } from '../../../contract/call-writes'
import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import { type IncomingRequest, parseBody } from '../../http/incoming-request'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import type { CallRow } from '../call-row'
import { type CallPortion, CallPortionBuilder } from '../call-portion'
import { endToCallRow, startToCallRow } from './to-call-row'

export type CallContext = { user: User; path: IncomingRequest['path'] }

/** One part of a call, and the response once it is stored. */
type PreparedCall<Result> = CallPortion<'start' | 'end'> & { result: Result }
type Started = { id: string; trace_id: string }

export const prepareStart = preparation('call start', (body, { user }: CallContext, { newId }) => {
  const { start } = parseBody(startCall, body)
  return toPreparedStart(startToCallRow(start, newId), user)
})

export const prepareEnd = preparation('call end', (body, { user }: CallContext) => {
  const { end } = parseBody(endCall, body)
  return toPreparedCall(endToCallRow(end), 'end', user, {})
})

export const prepareProjectStart = preparation('project call start', (body, { user, path }: CallContext, { newId }) => {
  const { entity, project, start } = parseBody(startProjectCall, body, path)
  requireSameProject(readPathProject(entity, project, user), start.project_id, 'start')
  return toPreparedStart(startToCallRow(start, newId), user)
})

export const prepareProjectEnd = preparation('project call end', (body, { user, path }: CallContext) => {
  const { entity, project, end } = parseBody(endProjectCall, body, path)
  requireSameProject(readPathProject(entity, project, user), end.project_id, 'end')
  return toPreparedCall(endToCallRow(end), 'end', user, {})
})

function toPreparedStart(row: CallRow & { trace_id: string }, user: User): PreparedCall<Started> {
  // The user of a call is the one who sends its start.
  const result = { id: row.id, trace_id: row.trace_id }
  return toPreparedCall({ ...row, wb_user_id: user.username }, 'start', user, result)
}

function toPreparedCall<Result>(row: CallRow, part: 'start' | 'end', user: User, result: Result): PreparedCall<Result> {
  requireProject(user, row.project_id)
  const builder = new CallPortionBuilder<'start' | 'end'>()
  builder.add(row, part)
  return { ...builder.take(), result }
}

export function readPathProject(entity: string, project: string, user: User): string {
  const parsed = ProjectId.safeParse(`${entity}/${project}`)
  if (!parsed.success) {
    throw new HttpError('invalid', { loc: ['path'], msg: 'The path must name <entity>/<project>.', type: 'value_error' })
  }
  requireProject(user, parsed.data)
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
