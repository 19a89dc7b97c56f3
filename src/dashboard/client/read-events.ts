import { type EventTopic, eventTopics, streamEvents } from '../../contract/events'
import type { Connection } from './connection'
import { fetchResponse } from './fetch-response'

type Options = {
  connection: Connection
  signal: AbortSignal
  /** The last id of a stream before this one: what changed since is told first. */
  lastEventId: string | undefined
  /** `ready` is the first event. What is asked for from then on, or after a topic, is complete. */
  onEvent: (event: 'ready' | EventTopic, lastEventId: string | undefined) => void
}

/**
 * Reads the events of the project until their stream ends. With `fetch`, because the browser's `EventSource` sends no
 * password. Throws an `ApiError`.
 */
export async function readEvents({ connection, signal, lastEventId, onEvent }: Options): Promise<void> {
  const headers = lastEventId === undefined ? undefined : { 'last-event-id': lastEventId }
  const response = await fetchResponse(streamEvents, { project_id: connection.projectId }, { connection, signal, headers })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let id = lastEventId
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      id = /^id: (.+)$/m.exec(block)?.[1] ?? id
      const name = /^event: (.+)$/m.exec(block)?.[1]
      const event = name === 'ready' ? name : eventTopics.find((topic) => topic === name)
      if (event) onEvent(event, id)
    }
  }
}
