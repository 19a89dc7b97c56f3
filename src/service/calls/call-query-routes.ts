import { queryCalls, queryCallStats, readCall } from '../../contract/call-queries'
import { type Route, route, streamRoute } from '../http/route'
import { countCalls } from './count-calls'
import { type CallReaders, listCalls } from './list-calls'

export function callQueryRoutes(readers: CallReaders): Route[] {
  return [
    streamRoute(queryCalls, (input, { signal }) => listCalls(readers, input, signal)),

    route(queryCallStats, async (input, { signal }) => ({ count: await countCalls(readers, input, { signal }) })),

    route(readCall, async ({ project_id, id, include_costs }, { signal }) => {
      for await (const [call] of listCalls(readers, { project_id, filter: { call_ids: [id] }, include_costs }, signal)) {
        return { call: call ?? null }
      }
      return { call: null }
    }),
  ]
}
