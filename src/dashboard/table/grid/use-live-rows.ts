import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { EventTopic } from '../../../contract/events'
import { useConnection } from '../../client/connection-context'
import { followChanges } from '../../client/follow-changes'

/** Other people's writes may be many: rows are read again at most this often. */
const minPauseMs = 2000
const checkMs = 300

/**
 * Reads the rows again when the service says that they may have changed. Returns how: 'live', or 'polling' while the service
 * cannot be listened to; undefined while it is off. It waits while a change of the person's own is under way: that reads
 * again what it has changed, and what it deletes must not be read any more.
 */
export function useLiveRows(
  topic: EventTopic | undefined,
  rows: { isFetching: boolean; refetch: () => Promise<unknown> },
): 'live' | 'polling' | undefined {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const latest = useRef(rows)
  // The ref lets the stream go on when new rows arrive.
  useEffect(() => {
    latest.current = rows
  })
  // The stream is outside React.
  useEffect(() => {
    if (topic === undefined) return
    const stopping = new AbortController()
    let hasChanged = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      timer = undefined
      if (!hasChanged) return
      if (latest.current.isFetching || document.hidden || queryClient.isMutating() > 0) {
        timer = setTimeout(readAgain, checkMs)
        return
      }
      hasChanged = false
      void latest.current.refetch()
      timer = setTimeout(readAgain, minPauseMs)
    }
    const onChange = () => {
      hasChanged = true
      timer ??= setTimeout(readAgain)
    }
    void followChanges({ connection, topic, signal: stopping.signal, onChange, onState: setIsLive })
    return () => {
      stopping.abort()
      clearTimeout(timer)
      setIsLive(false)
    }
  }, [connection, queryClient, topic])
  return topic === undefined ? undefined : isLive ? 'live' : 'polling'
}
