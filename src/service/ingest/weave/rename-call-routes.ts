import { renameCall } from '../../../contract/call-writes'
import { HttpError } from '../../http/http-error'
import { type Route, route } from '../../http/route'
import type { CallWriter } from '../call-writer'
import { unreadableCall } from './store-batch'

export function renameCallRoutes({ writer, clock }: { writer: CallWriter; clock: () => number }): Route[] {
  return [
    route(renameCall, async ({ project_id, call_id: id, display_name: name }, { reader }) => {
      if (name === undefined) return {}
      const [error] = await writer.write([{ project_id, id, given_name: { version: clock(), name } }], reader.share)
      if (error) throw new HttpError('invalid', { loc: ['body', 'display_name'], msg: unreadableCall, type: 'value_error' })
      return {}
    }),
  ]
}
