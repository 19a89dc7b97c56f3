import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CallPlaces, callPlacesQuery } from '../../client/call-places'
import { useConnection } from '../../client/connection-context'

const noPlaces: CallPlaces = new Map()

/** Where these calls are in their threads, by id: what is known so far. `areRead`: all of them were looked up, or that failed. */
export function useCallPlaces(callIds: readonly string[]): { places: CallPlaces; areRead: boolean } {
  const { data, isError, isPlaceholderData } = useQuery({
    ...callPlacesQuery(callIds, useConnection()),
    enabled: callIds.length > 0,
    placeholderData: keepPreviousData,
  })
  return { places: data ?? noPlaces, areRead: isError || (data !== undefined && !isPlaceholderData) }
}
