import { queryCallStats } from '../../contract/call-headings'
import { QueryCalls, QueryCallStats, ReadCall } from '../../contract/call-requests'
import { queryCalls, readCall as readCallEndpoint } from '../../contract/calls'
import { withRequest } from '../../contract/endpoint'
import { type Route, route, streamRoute } from '../http/route'
import { countCalls } from './count-calls'
import { type CallReaders, listCalls } from './list-calls'
import { readCall } from './read-call'

export function callQueryRoutes(readers: CallReaders): Route[] {
  return [
    streamRoute(withRequest(queryCalls, QueryCalls), (input, { reader }) => listCalls(readers, input, reader)),

    route(withRequest(queryCallStats, QueryCallStats), async (input, { reader }) => ({
      count: await countCalls(readers, input, reader),
    })),

    route(withRequest(readCallEndpoint, ReadCall), async (input, { reader }) => readCall(readers, input, reader)),
  ]
}
