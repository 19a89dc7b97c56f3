import type { EventTopic } from '../../contract/events'
import type { Connection } from './connection'
import { pause } from './pause'
import { readEvents } from './read-events'

/** How often to ask while no events can be read. */
export const pollSeconds = 10
const reconnectMs = 1000

type Options = {
  connection: Connection
  topic: EventTopic
  signal: AbortSignal
  /** What the topic is about may have changed. */
  onChange: () => void
  /** Whether events are being read. While they are not, `onChange` is called every ten seconds. */
  onState: (isLive: boolean) => void
}

/**
 * Calls back when the service says that something changed, until `signal` is aborted. A hidden tab keeps no connection: a
 * browser has only six for each server. When the tab is visible again, it is told what it missed.
 */
export async function followChanges({ connection, topic, signal, onChange, onState }: Options): Promise<void> {
  let lastEventId: string | undefined
  while (!signal.aborted) {
    if (document.hidden) {
      await waitForVisibility(signal)
      continue
    }
    const hidden = abortWhenHidden(signal)
    try {
      await readEvents({
        connection,
        signal: hidden.signal,
        lastEventId,
        onEvent: (event, id) => {
          if (event === 'ready') onState(true)
          // Without an id before, nobody knows how old the rows are.
          if (event === topic || (event === 'ready' && lastEventId === undefined)) onChange()
          lastEventId = id
        },
      })
      await pause(reconnectMs, signal)
    } catch {
      if (hidden.signal.aborted) continue
      // Whatever it is, rows are asked for in another way, and that reports what is wrong.
      onState(false)
      await pause(pollSeconds * 1000, signal)
      if (!signal.aborted && !document.hidden) onChange()
    } finally {
      hidden.stop()
    }
  }
}

function abortWhenHidden(signal: AbortSignal) {
  const hiding = new AbortController()
  const check = () => {
    if (document.hidden) hiding.abort()
  }
  document.addEventListener('visibilitychange', check)
  return {
    signal: AbortSignal.any([signal, hiding.signal]),
    stop: () => document.removeEventListener('visibilitychange', check),
  }
}

function waitForVisibility(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      document.removeEventListener('visibilitychange', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    document.addEventListener('visibilitychange', finish)
    signal.addEventListener('abort', finish)
  })
}
