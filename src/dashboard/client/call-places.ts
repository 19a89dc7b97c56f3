import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import type { ClientEndpoint } from '../../contract/endpoint'
import { type Connection, usesSession } from './connection'
import { endpointQueryKey } from './endpoint-query'
import { streamRows } from './stream-rows'

const CallPlace = z.object({
  id: z.string(),
  thread_id: z.nullish(z.string()),
  turn_id: z.nullish(z.string()),
  op_name: z.nullish(z.string()),
})
/** Where a call is in its thread, and its op. */
export type CallPlace = z.infer<typeof CallPlace>
export type CallPlaces = ReadonlyMap<string, CallPlace>

const queryCallPlaces: ClientEndpoint<typeof QueryCalls, typeof CallPlace, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallPlace,
  streams: true,
  places: {},
}

/** The last part of the keys of these queries: other queries of the operation read other columns. */
const places = 'places'

/**
 * Query options: where these calls are in their threads, by id. A call below a turn is in the thread of
 * that turn, whether it names none, as most spans do, or another. Calls that the service does not have are missing.
 */
export function callPlacesQuery(callIds: readonly string[], connection: Connection) {
  const toInput = (ids: readonly string[]) => ({
    project_id: connection.projectId,
    filter: { call_ids: [...ids] },
    columns: ['thread_id', 'turn_id', 'op_name'],
  })
  return queryOptions({
    queryKey: [...endpointQueryKey(queryCallPlaces, toInput(callIds), connection), places],
    queryFn: async ({ signal }): Promise<CallPlaces> => {
      const readPlaces = async (ids: readonly string[]) => {
        const found = new Map<string, CallPlace>()
        if (ids.length === 0) return found
        for await (const { rows } of streamRows(queryCallPlaces, toInput(ids), { connection, signal }))
          for (const place of rows) found.set(place.id, place)
        return found
      }
      const calls = await readPlaces(callIds)
      const turnIds = [...calls.values()].flatMap(({ id, turn_id: turnId }) => (turnId && turnId !== id ? turnId : []))
      const turns = await readPlaces([...new Set(turnIds)])
      const toThreadId = ({ thread_id: own, turn_id: turnId }: CallPlace) => turns.get(turnId ?? '')?.thread_id || own
      return new Map([...calls].map(([id, place]) => [id, { ...place, thread_id: toThreadId(place) }]))
    },
    // On the page of a call it is the first request. A 401 of another service may mean that it does not know the operation.
    meta: { endsSession: usesSession(connection) },
  })
}

/** Reads the places on this page again where one of them is in no thread yet, or none could be read. */
export async function refetchUnknownPlaces(queryClient: QueryClient): Promise<void> {
  const predicate = ({ queryKey, state: { data } }: Query) =>
    queryKey.at(-1) === places && (!data || [...(data as CallPlaces).values()].some((place) => !place.thread_id)) // the data of these
  const unknown = { queryKey: [queryCallPlaces.path], type: 'active' as const, predicate }
  const refetch = () => queryClient.refetchQueries(unknown, { cancelRefetch: false })
  // What is being read already may be from before the turn.
  const isBehind = queryClient.isFetching(unknown) > 0
  await refetch()
  if (isBehind) await refetch()
}
