import { listRefusedCalls, queryCalls, queryCallStats, readCall } from '../../contract/call-queries'
import { formatInstant } from '../../contract/instant'
import { HttpError } from '../http/http-error'
import { type Route, route, streamRoute } from '../http/route'
import { countCalls } from './count-calls'
import { type CallReaders, listCalls } from './list-calls'
import type { RefusedCalls } from '../ingest/refused-calls'

export type CallQueryDeps = CallReaders & { refused: RefusedCalls }

/** Reading what was sent, and for the administrator what was refused of it. */
export function callQueryRoutes({ refused, ...readers }: CallQueryDeps): Route[] {
  return [
    streamRoute(queryCalls, (input, { signal }) => listCalls(readers, input, signal)),

    route(queryCallStats, async (input, { signal }) => ({ count: await countCalls(readers, input, { signal }) })),

    route(readCall, async ({ project_id, id, include_costs }, { signal }) => {
      for await (const [call] of listCalls(readers, { project_id, filter: { call_ids: [id] }, include_costs }, signal)) {
        return { call: call ?? null }
      }
      return { call: null }
    }),

    route(listRefusedCalls, async (_, { user }) => {
      if (user.projects !== '*') {
        throw new HttpError('forbidden', {
          loc: ['header', 'authorization'],
          msg: 'Only an administrator, a user with access to every project, may see what was refused.',
          type: 'forbidden',
        })
      }
      const latest = refused.latest.map(({ atMs, username, problem }) => ({
        at: formatInstant(BigInt(atMs) * 1000n),
        username,
        problem,
      }))
      return { count: refused.count, latest }
    }),
  ]
}
