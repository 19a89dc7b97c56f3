import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CallPlace, placeColumns, queryCallPlaces } from '../../client/call-places'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'

const noPlaces: readonly CallPlace[] = []

/** Where these calls are in their threads, by id: one request. Undefined until it is read; empty where it cannot be. */
export function useCallPlaces(callIds: readonly string[]): ReadonlyMap<string, CallPlace> | undefined {
  const connection = useConnection()
  const input = { project_id: connection.projectId, filter: { call_ids: [...callIds] }, columns: placeColumns }
  const { data, isError } = useQuery({
    ...streamQuery(queryCallPlaces, input, connection),
    enabled: callIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  const places = data?.rows ?? (isError ? noPlaces : undefined)
  return useMemo(() => places && new Map(places.map((place) => [place.id, place])), [places])
}
