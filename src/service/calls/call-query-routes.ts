import { queryCallStats } from '../../contract/call-headings'
import { QueryCalls, QueryCallStats, ReadCall } from '../../contract/call-requests'
import { queryCalls, readCall } from '../../contract/calls'
import { withRequest } from '../../contract/endpoint'
import { type Route, route, streamRoute } from '../http/route'
import { countCalls } from './count-calls'
import { type CallReaders, listCalls } from './list-calls'

export function callQueryRoutes(readers: CallReaders): Route[] {
  return [
    streamRoute(withRequest(queryCalls, QueryCalls), (input, { reader }) => listCalls(readers, input, reader)),

    route(withRequest(queryCallStats, QueryCallStats), async (input, { reader }) => ({
      count: await countCalls(readers, input, reader),
    })),

    route(withRequest(readCall, ReadCall), async ({ project_id, id, include_costs }, { reader }) => {
      for await (const [call] of listCalls(readers, { project_id, filter: { call_ids: [id] }, include_costs }, reader)) {
        return { call: call ?? null }
      }
      return { call: null }
    }),
  ]
}
