import { useQuery } from '@tanstack/react-query'
import { Redirect, useLocation } from 'wouter'
import { type CallPlace, callPlacesQuery } from '../client/call-places'
import { useConnection } from '../client/connection-context'
import { readIdOfPage, toCallHref } from '../format/thread-href'
import { formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { NothingFound } from './NothingFound'

/** Where links to a call lead that name no thread, as Weave's clients print them: to the call in its thread. */
export function CallPage() {
  useLocation()
  const id = readIdOfPage(location.pathname)
  return id === undefined ? <NothingFound title="Call" text="The address names no call." /> : <OneCall key={id} id={id} />
}

function OneCall({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(callPlacesQuery([id], useConnection()))
  const place = data?.get(id)
  const href = place && toHref(place)
  if (href !== undefined) return <Redirect to={href} replace />
  return (
    <NothingFound title="Call" id={id} text={isFetching ? 'Looking for this call…' : toReason(place, error)}>
      {(data || error) && <Button onClick={() => void refetch()}>Look again</Button>}
    </NothingFound>
  )
}

function toHref(place: CallPlace): string | undefined {
  if (place.turn_id === null) return undefined
  // The few threads that have no page of their own are opened beside the list.
  return toCallHref(place) ?? (place.thread_id ? `/threads?${new URLSearchParams({ row: place.thread_id })}` : undefined)
}

function toReason(place: CallPlace | undefined, error: Error | null): string {
  if (error) return `This call could not be looked up. ${error.message}`
  if (!place) return 'There is no such call in this project. It may not have arrived yet.'
  return place.thread_id
    ? `This call is in the thread ${formatVisibleText(place.thread_id)}, but in none of its turns, and calls are shown in their turns.`
    : 'This call is in no thread, and calls are shown in their threads.'
}
