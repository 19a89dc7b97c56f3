import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'
import { toThreadHref } from '../../format/thread-href'
import { type CallPlace, queryCallPlaces } from './item-requests'

const noPlaces: readonly CallPlace[] = []

/** Where these calls are in their threads, by id: one request. Undefined until it is read; empty where it cannot be. */
export function useCallPlaces(callIds: readonly string[]): ReadonlyMap<string, CallPlace> | undefined {
  const connection = useConnection()
  const input = { project_id: connection.projectId, filter: { call_ids: [...callIds] }, columns: ['thread_id', 'turn_id'] }
  const { data, isError } = useQuery({
    ...streamQuery(queryCallPlaces, input, connection),
    enabled: callIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  const places = data?.rows ?? (isError ? noPlaces : undefined)
  return useMemo(() => places && new Map(places.map((place) => [place.id, place])), [places])
}

/**
 * The address of a call in its thread; undefined for a call that is in none.
 *
 * @example toCallHref({ id: 'c', thread_id: 'chat-7', turn_id: 't' }) // '/threads/chat-7?turn=t&call=c'
 */
export function toCallHref({ id, thread_id: threadId, turn_id: turnId }: CallPlace): string | undefined {
  if (!threadId) return undefined
  const turn = turnId ?? id
  return toThreadHref(threadId, new URLSearchParams(turn === id ? { turn } : { turn, call: id }).toString())
}
