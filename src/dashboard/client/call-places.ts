import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import type { ClientEndpoint } from '../../contract/endpoint'
import type { Connection } from './connection'
import { endpointQueryKey } from './endpoint-query'
import { streamRows } from './stream-rows'

const CallPlace = z.object({
  id: z.string(),
  thread_id: z.nullish(z.string()),
  turn_id: z.nullish(z.string()),
})
/** Where a call is in its thread. */
export type CallPlace = z.infer<typeof CallPlace>
export type CallPlaces = ReadonlyMap<string, CallPlace>

const queryCallPlaces: ClientEndpoint<typeof QueryCalls, typeof CallPlace, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallPlace,
  streams: true,
  places: {},
}

/**
 * Query options: where these calls are in their threads, by id. A call that names no thread is in the one of its turn: spans
 * below a turn name none. Calls that the service does not have are missing.
 */
export function callPlacesQuery(callIds: readonly string[], connection: Connection) {
  const toInput = (ids: readonly string[]) => ({
    project_id: connection.projectId,
    filter: { call_ids: [...ids] },
    columns: ['thread_id', 'turn_id'],
  })
  return queryOptions({
    queryKey: [...endpointQueryKey(queryCallPlaces, toInput(callIds), connection), 'places'],
    queryFn: async ({ signal }): Promise<CallPlaces> => {
      const readPlaces = async (ids: readonly string[]) => {
        const places = new Map<string, CallPlace>()
        if (ids.length === 0) return places
        for await (const { rows } of streamRows(queryCallPlaces, toInput(ids), { connection, signal }))
          for (const place of rows) places.set(place.id, place)
        return places
      }
      const places = await readPlaces(callIds)
      const turnIds = [...places.values()].flatMap((place) => (place.thread_id ? [] : (place.turn_id ?? [])))
      const turns = await readPlaces([...new Set(turnIds)])
      const toThreadId = ({ thread_id: own, turn_id: turnId }: CallPlace) => own || turns.get(turnId ?? '')?.thread_id
      return new Map([...places].map(([id, place]) => [id, { ...place, thread_id: toThreadId(place) }]))
    },
  })
}
