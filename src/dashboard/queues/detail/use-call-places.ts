import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CallPlaces, callPlacesQuery } from '../../client/call-places'
import { useConnection } from '../../client/connection-context'

const noPlaces: CallPlaces = new Map()

/** Where these calls are in their threads, by id. Undefined until it is read; empty where it cannot be. */
export function useCallPlaces(callIds: readonly string[]): CallPlaces | undefined {
  const { data, isError } = useQuery({
    ...callPlacesQuery(callIds, useConnection()),
    enabled: callIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return data ?? (isError ? noPlaces : undefined)
}
