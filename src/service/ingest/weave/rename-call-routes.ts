import * as z from 'zod/mini'
import { renameCall } from '../../../contract/call-writes'
import { HttpError } from '../../http/http-error'
import { type Route, route } from '../../http/route'
import { count } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import type { CallSink } from '../call-writer'
import { unreadableCall } from './store-batch'

type RenameDeps = { store: Store; writer: CallSink; clock: () => number }

export function renameCallRoutes({ store, writer, clock }: RenameDeps): Route[] {
  return [
    route(renameCall, async ({ project_id, call_id: id, display_name: name }, { reader }) => {
      if (name === undefined) return {}
      // The name given last counts, also after the clock was set back.
      const version = Math.max(clock(), (await readNameVersion(store, project_id, id, reader)) + 1)
      const [error] = await writer.write([{ project_id, id, given_name: { version, name } }], reader.share)
      if (error) throw new HttpError('invalid', { loc: ['body', 'display_name'], msg: unreadableCall, type: 'value_error' })
      return {}
    }),
  ]
}

const NameVersion = z.object({ version: count })

/** The version of the name that the call was given last; 0 without one. */
async function readNameVersion(store: Store, projectId: string, id: string, options: QueryOptions): Promise<number> {
  const statement = sql`SELECT tupleElement(max(given_name), 'version') AS version FROM calls
WHERE project_id = ${projectId} AND id = ${id}`
  const [row] = await store.query(statement, NameVersion, { ...options, lane: 'write' })
  return row?.version ?? 0
}
